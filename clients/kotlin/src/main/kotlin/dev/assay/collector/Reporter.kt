package dev.assay.collector

/** Reports are cumulative: one per session is enough, and nobody is offline for so many sessions. */
private const val REPORTS_MAX = 10

private const val UNSENT_KEY = "assay.unsent"

/** A report of one session, which a newer one of the same session replaces. */
internal class Waiting(val session: String, var token: String?, private val fields: Map<String, Any?>) {
    fun body(): String = Json.write(if (token == null) fields else fields + ("session_token" to token))
}

/** Hands reports to the app's own server, in order, and tries again while there is no connection. */
internal class Reporter(
    private val lock: Any,
    private val host: Host,
    private val endpoint: String,
    private val headers: () -> Map<String, String>,
) {
    private var waiting: List<Waiting> = readUnsent()
    private var underWay: Waiting? = null
    private var failures = 0
    private var isPaused = false
    private var cancelNext: () -> Unit = {}

    /** Adds a report, to be sent with the next [flush]. */
    fun put(added: Waiting): Unit = synchronized(lock) {
        waiting = (waiting.filter { it === underWay || it.session != added.session } + added).takeLast(REPORTS_MAX)
        saveUnsent()
    }

    /** Sends what waits, now. */
    fun flush(): Unit = synchronized(lock) {
        isPaused = false
        cancelNext()
        cancelNext = host.scheduler.after(0, ::sendFirst)
    }

    /** Makes no further attempts until the next [flush]. What is under way goes on. */
    fun pause(): Unit = synchronized(lock) {
        isPaused = true
    }

    private fun sendFirst() {
        while (true) {
            val (first, body) = synchronized(lock) {
                if (underWay != null) return
                val next = waiting.firstOrNull() ?: return
                underWay = next
                next to next.body()
            }
            val answer = host.transport.tryPost(endpoint, body, headersNow() + jsonHeaders)
            synchronized(lock) {
                underWay = null
                val status = answer?.status ?: 0
                if (status == 0 || status == 408 || status == 429 || status >= 500) {
                    val waitMs = waitAfter(failures, host.random, answer?.retryAfter)
                    failures += 1
                    cancelNext()
                    if (!isPaused) cancelNext = host.scheduler.after(waitMs, ::sendFirst)
                    return
                }
                // Accepted, or refused for good: the same again would be refused again.
                failures = 0
                waiting = waiting - first
                saveUnsent()
            }
        }
    }

    private fun headersNow(): Map<String, String> =
        try {
            headers()
        } catch (_: RuntimeException) {
            emptyMap()
        }

    private fun saveUnsent() {
        host.storage?.trySet(UNSENT_KEY, if (waiting.isEmpty()) null else waiting.joinToString("\n") { "${it.session} ${it.body()}" })
    }

    private fun readUnsent(): List<Waiting> =
        (host.storage?.tryGet(UNSENT_KEY) ?: "").lines().mapNotNull { line ->
            Json.readObject(line.substringAfter(' ', ""))?.let { Waiting(line.substringBefore(' '), null, it) }
        }.takeLast(REPORTS_MAX)
}

/** Storage may be full, or fail in whatever way; the collector then works without it. */
internal fun Storage.tryGet(key: String): String? =
    try {
        get(key)
    } catch (_: RuntimeException) {
        null
    }

internal fun Storage.trySet(key: String, value: String?) {
    try {
        set(key, value)
    } catch (_: RuntimeException) {
        return
    }
}
