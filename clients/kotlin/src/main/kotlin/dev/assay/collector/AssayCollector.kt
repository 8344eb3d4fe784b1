package dev.assay.collector

import java.util.concurrent.atomic.AtomicBoolean
import kotlin.math.hypot

/**
 * What the collector reports, and where to.
 *
 * @property endpoint URL on your own server that receives a POST when the app goes to the background. Null: nothing is sent.
 * @property extra texts, numbers and booleans added to the body, so that your server can match the signals to its own session.
 *   Never put personal data here.
 * @property headers headers of the requests to [endpoint], such as `Authorization`. Asked for with every attempt; never stored.
 * @property site id of your site (`site_…`), to have Assay attest the session. Null: the app never calls Assay.
 * @property url where Assay takes what attestation needs, such as `https://assay.example.com/c/v1/`. Required with [site].
 * @property visitorObjects the visitor objects to tracking: no count is kept, and Assay is never called
 * @property tapMoveMax a touch that moves further than this is no tap, in the unit of [AssayCollector.onTouch]
 */
public class CollectorOptions @JvmOverloads constructor(
    public val endpoint: String? = null,
    public val extra: Map<String, Any> = emptyMap(),
    public val headers: () -> Map<String, String> = { emptyMap() },
    public val site: String? = null,
    public val url: String? = null,
    public val visitorObjects: Boolean = false,
    public val tapMoveMax: Float = 24f,
) {
    init {
        require(site == null || url != null) { "site needs url" }
        for (address in listOfNotNull(endpoint, url)) {
            require(address.startsWith("https://") || address.startsWith("http://")) { "an address starts with https://" }
        }
        require(extra.values.all { it is String || it is Number || it is Boolean }) { "extra has texts, numbers and booleans" }
    }
}

/**
 * What the collector runs on.
 *
 * @property clock the clock; by default the system's, which may be set back
 * @property storage where to keep a count of sessions and unsent reports; null: `return_visitor` is left out
 * @property transport makes the requests
 * @property scheduler runs them, on threads of its own
 * @property random 0 to 1
 * @property warn tells the developer
 */
public class Host @JvmOverloads constructor(
    public val clock: Clock = Clock { System.currentTimeMillis() },
    public val storage: Storage? = null,
    public val transport: Transport = HttpTransport(),
    public val scheduler: Scheduler = ThreadScheduler(),
    public val random: () -> Double = Math::random,
    public val warn: (String) -> Unit = {},
)

/** The phases of a touch. */
public enum class Touch {
    /** The first finger was put down. */
    DOWN,

    /** A finger was moved. */
    MOVE,

    /** Another finger was put down. */
    MORE,

    /** The last finger was lifted. */
    UP,

    /** The touch was taken away from the app. */
    CANCEL,
}

/**
 * Measures the sessions of an app and hands them to its own server, which holds the API key. Only with [CollectorOptions.site]
 * does the app also call Assay. Every function may be called from any thread and returns at once.
 */
public class AssayCollector @JvmOverloads constructor(private val options: CollectorOptions, private val host: Host = Host()) {
    private val lock = Any()
    private val storage = host.storage.takeUnless { options.visitorObjects }
    private val tracker = SessionTracker(host.clock, ::countVisit, ::reportEnd, ::noteBegin)
    private val reporter = options.endpoint?.let { Reporter(lock, host, it, options.headers) }
    private val attestor = options.site?.takeUnless { options.visitorObjects }?.let { site ->
        val url = options.url!!
        Attestor(lock, host, tracker, site, if (url.endsWith("/")) url else "$url/")
    }
    private val runId = host.clock.nowMs()
    private var sequence = 0
    private var sent: SessionSignals? = null
    private var screenName: String? = null

    /** Where the finger was put down; null: it can no longer become a tap. */
    private var touched: Pair<Float, Float>? = null

    init {
        if (options.visitorObjects) host.storage?.trySet(VISITS_KEY, null)
    }

    /** The app has come to the foreground. */
    public fun onForeground(): Unit = synchronized(lock) {
        tracker.show()
        reporter?.flush()
        attestor?.retry()
        attestor?.resume()
    }

    /** The app has left the foreground: what was measured is sent. */
    public fun onBackground(): Unit = synchronized(lock) {
        if (!tracker.isInView) return
        send()
        tracker.hide()
    }

    /** A screen was opened. The same name as the last one is the same screen; names are neither stored nor sent. */
    @JvmOverloads
    public fun screen(name: String? = null): Unit = synchronized(lock) {
        if (name != null && name == screenName) return
        screenName = name
        tracker.screen()
    }

    /** Input that is neither a touch nor a key, such as that of a game controller. */
    public fun onActivity(): Unit = synchronized(lock) { tracker.act() }

    /** A tap, or another choice, that [onTouch] has not seen. */
    public fun onTap(): Unit = synchronized(lock) { tracker.tap() }

    /** A key, of a keyboard or on the screen. */
    public fun onKey(): Unit = synchronized(lock) { tracker.key() }

    /** A touch. One finger that is lifted where it was put down is a tap; everything else is activity. */
    public fun onTouch(touch: Touch, x: Float, y: Float): Unit = synchronized(lock) {
        val from = touched
        when (touch) {
            Touch.DOWN -> touched = Pair(x, y)
            Touch.MOVE -> if (from != null && hypot(x - from.first, y - from.second) > options.tapMoveMax) touched = null
            Touch.MORE, Touch.CANCEL -> touched = null
            Touch.UP -> {
                touched = null
                if (from != null) return tracker.tap()
            }
        }
        tracker.act()
    }

    /** The screen's main list is scrolled to [offset], shows [visible] of its [content], in a window of that height. */
    public fun onScroll(offset: Double, visible: Double, content: Double, window: Double): Unit =
        synchronized(lock) { tracker.scroll(scrollShareOf(offset, visible, content, window)) }

    /** The signals so far. */
    public fun read(): SessionSignals = synchronized(lock) { tracker.measure().totals.signals() }

    /**
     * Brings the token of the attested session up to date and calls [then] with it, after 2 seconds at most, on a thread of the
     * collector. Null without a site, before Assay's first answer, and if the visitor objects.
     */
    public fun token(then: (String?) -> Unit) {
        renewToken(TOKEN_MS_MAX) { then(synchronized(lock) { tokenNow() }) }
    }

    /** Sends the signals to the endpoint, unless they have not changed since they were last sent. A new token comes first. */
    public fun send(): Unit = synchronized(lock) {
        val report = report()
        val session = tracker.session
        renewToken(REPORT_MS_MAX) {
            synchronized(lock) {
                if (report != null && session === tracker.session) report.token = tokenNow()
                reporter?.flush()
            }
        }
    }

    /** Sends what was not sent, once, and ends the collector's threads. */
    public fun stop(): Unit = synchronized(lock) {
        if (tracker.isInView) report()
        tracker.hide()
        attestor?.stop()
        reporter?.flush()
        reporter?.pause()
        host.scheduler.close()
    }

    private fun tokenNow(): String? = if (attestor == null) null else tracker.session.attested.token.ifEmpty { null }

    /** Calls [then] once, on another thread: when the token is up to date, or after the time. */
    private fun renewToken(msMax: Long, then: () -> Unit) {
        val isDone = AtomicBoolean()
        val once = { if (isDone.compareAndSet(false, true)) then() }
        if (attestor == null) {
            host.scheduler.after(0, once)
            return
        }
        val cancel = host.scheduler.after(msMax, once)
        attestor.beat {
            cancel()
            host.scheduler.after(0, once)
        }
    }

    /** Adds the signals to what waits for being sent, if they have changed, and returns what was added. */
    private fun report(): Waiting? {
        val signals = read()
        if (reporter == null || signals == sent || signals.pageViews == 0) return null
        sent = signals
        sequence += 1
        val fields = LinkedHashMap<String, Any?>(options.extra)
        fields["session_data"] = signals.fields()
        fields["sequence"] = sequence
        return Waiting("$runId.${tracker.session.number}", tokenNow(), fields).also { reporter.put(it) }
    }

    private fun reportEnd() {
        if (tracker.isInView && report() != null) reporter?.flush()
    }

    private fun noteBegin() {
        sent = null
        attestor?.resume()
    }

    private fun countVisit(): Boolean? {
        if (storage == null) return null
        val visits = try {
            storage.get(VISITS_KEY)?.toIntOrNull() ?: 0
        } catch (_: RuntimeException) {
            return null
        }
        storage.trySet(VISITS_KEY, minOf(visits + 1, VISITS_MAX).toString())
        return visits > 0
    }

    private companion object {
        const val VISITS_KEY = "assay.visits"

        /** The count only tells whether the visitor has been here before; counting further is pointless. */
        const val VISITS_MAX = 9

        /** How long a caller, or a report of an app that goes to the background, waits for a newer token. */
        const val TOKEN_MS_MAX = 2_000L
        const val REPORT_MS_MAX = 1_000L
    }
}
