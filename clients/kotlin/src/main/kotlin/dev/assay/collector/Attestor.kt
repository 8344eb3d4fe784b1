package dev.assay.collector

import java.io.IOException
import kotlin.math.max
import kotlin.math.min
import kotlin.math.pow

/** Waits after failures: a random part of twice the last one. */
private const val BACK_OFF_MS_MIN = 2_000.0
private const val BACK_OFF_MS_MAX = 120_000.0

/** The longest Retry-After that is respected; a time that is further ahead is a clock that was set back. */
internal const val WAIT_MS_MAX = 3_600_000L

/** The service asks for longer ones; this only keeps a wrong answer from causing a flood. */
private const val NEXT_MS_MIN = 1_000L

/** Time alone is no reason to report earlier than due, unless it is at least this much. */
private const val NEWS_MS_MIN = 1_000L

/** How long to wait after so many failures in a row, and what the server has asked for. */
internal fun waitAfter(failures: Int, random: () -> Double, retryAfter: String?): Long {
    val backOffMs = min(BACK_OFF_MS_MAX, BACK_OFF_MS_MIN * 2.0.pow(min(failures, 10))) * (1 + random()) * 0.5
    val retryAfterMs = (retryAfter?.trim()?.toLongOrNull() ?: 0).coerceIn(0, WAIT_MS_MAX / 1_000) * 1_000
    return max(backOffMs.toLong(), retryAfterMs)
}

/** Posts, and takes every failure for no answer. */
internal fun Transport.tryPost(url: String, body: String, headers: Map<String, String>): Answer? =
    try {
        post(url, body, headers)
    } catch (_: IOException) {
        null
    } catch (_: RuntimeException) {
        // An address that is none, or a permission that the app does not have.
        null
    }

internal val jsonHeaders = mapOf("Content-Type" to "application/json", "Accept" to "application/json")

/** Has the service attest the session: the app reports what it measured, and gets a sealed token back. */
internal class Attestor(
    private val lock: Any,
    private val host: Host,
    private val tracker: SessionTracker,
    private val site: String,
    /** Base address of `start` and `beat`, with a slash at its end. */
    private val base: String,
) {
    private var isRunning = false
    private var isStopped = false
    private var cancelNext: () -> Unit = {}
    private val waiters = ArrayList<() -> Unit>()

    /** Arranges the next request. To be called when the app is shown or its session is another one. */
    fun resume(): Unit = synchronized(lock) {
        cancelNext()
        if (isStopped || !tracker.isInView) return
        val dueMs = tracker.measure().attested.dueMs
        val nowMs = host.clock.nowMs()
        val waitMs = if (dueMs <= nowMs || dueMs > nowMs + WAIT_MS_MAX) 0 else dueMs - nowMs
        cancelNext = host.scheduler.after(waitMs) { beat {} }
    }

    /** Starts attestation, or brings its token up to date, and then calls [then]. Joins a request under way. */
    fun beat(then: () -> Unit) {
        synchronized(lock) { beatLocked(then) }
    }

    private fun beatLocked(then: () -> Unit) {
        if (isRunning) {
            waiters += then
            return
        }
        if (isStopped || !tracker.isInView) return then()
        val session = tracker.measure()
        val counts = session.totals.counts()
        val asked = session.attested
        val hasNews = isNews(counts, asked.covered)
        val nowMs = host.clock.nowMs()
        // Nobody is there any more: activity begins a new session.
        if (session.totals.isOver(nowMs) && !(asked.token != "" && hasNews)) return then()
        val isEarly = asked.dueMs > nowMs && asked.dueMs <= nowMs + WAIT_MS_MAX
        if (isEarly && (asked.failures > 0 || !hasNews)) {
            resume()
            return then()
        }
        isRunning = true
        waiters += then
        host.scheduler.after(0) { ask(asked, counts) }
    }

    private fun ask(asked: Attested, counts: Counts) {
        val isFirst = asked.token == ""
        val url = base + if (isFirst) "start" else "beat"
        val body = if (isFirst) mapOf("site" to site) else mapOf("token" to asked.token, "d" to counts.since(asked.covered).fields())
        val answer = host.transport.tryPost(url, Json.write(body), jsonHeaders)
        val waiting = synchronized(lock) {
            note(asked, counts, answer, url)
            isRunning = false
            resume()
            waiters.toList().also { waiters.clear() }
        }
        for (each in waiting) each()
    }

    private fun note(asked: Attested, counts: Counts, answer: Answer?, url: String) {
        val session = tracker.measure()
        val attested = session.attested
        // A new session has begun.
        if (attested.token != asked.token) return
        val reply = answer?.let { Json.readObject(it.body) } ?: emptyMap()
        val token = reply["token"] as? String ?: ""
        val status = answer?.status ?: 0
        val nowMs = host.clock.nowMs()
        if (status in 200..299 && token != "") {
            val nextMs = (reply["next_ms"] as? Double ?: 0.0).toLong()
            session.attested = Attested(token, if (asked.token == "") asked.covered else counts, nowMs + max(NEXT_MS_MIN, nextMs))
        } else if (status in 400..499 && status != 408 && status != 429) {
            // What was counted so far stays out of the next token, but for the screen that is open.
            val covered = session.totals.counts()
            session.attested = Attested("", covered.copy(pages = max(0, covered.pages - 1)))
            isStopped = asked.token == "" || reply["error"] != "session_token_expired"
            if (status == 403 || status == 404) host.warn("Assay answered $status to $url. Check the site's id and the address.")
        } else {
            attested.dueMs = nowMs + waitAfter(attested.failures, host.random, answer?.retryAfter)
            attested.failures += 1
        }
    }

    /** Whether there is more to report than a moment in view. */
    private fun isNews(now: Counts, covered: Counts): Boolean {
        val news = now.since(covered)
        return news.viewMs >= NEWS_MS_MIN || news.clicks + news.keys + news.pages > 0 || news.scroll != covered.scroll
    }

    /** Ends the wait after failures. */
    fun retry(): Unit = synchronized(lock) {
        val attested = tracker.measure().attested
        if (attested.failures > 0) attested.dueMs = Long.MIN_VALUE
    }

    fun stop(): Unit = synchronized(lock) {
        isStopped = true
        cancelNext()
    }
}
