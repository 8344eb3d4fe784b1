package dev.assay.collector

import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** A clock. On Android pass `Clock { SystemClock.elapsedRealtime() }`, which nobody can set back. */
public fun interface Clock {
    /** Milliseconds since some moment. */
    public fun nowMs(): Long
}

/** Keeps a few short texts on the device, such as in SharedPreferences. May be called from several threads. */
public interface Storage {
    /** The text under [key]; null if there is none. */
    public fun get(key: String): String?

    /** Keeps [value] under [key]; null deletes it. */
    public fun set(key: String, value: String?)
}

/**
 * An answer to a request.
 *
 * @property status the HTTP status
 * @property retryAfter the header Retry-After; null if there is none
 * @property body the body, as far as it is of use
 */
public class Answer(public val status: Int, public val retryAfter: String?, public val body: String)

/** Makes requests. Called from the collector's own threads, and may block. */
public fun interface Transport {
    /** Posts [body] to [url]. */
    @Throws(IOException::class)
    public fun post(url: String, body: String, headers: Map<String, String>): Answer
}

/** Runs what is due. */
public interface Scheduler {
    /** Runs [work] once, on another thread, after [delayMs]. Returns what cancels it. */
    public fun after(delayMs: Long, work: () -> Unit): () -> Unit

    /** Ends its threads when what runs is done. */
    public fun close()
}

/** [Transport] with the platform's own HTTP client. */
public class HttpTransport : Transport {
    @Throws(IOException::class)
    override fun post(url: String, body: String, headers: Map<String, String>): Answer {
        val connection = URL(url).openConnection() as? HttpURLConnection ?: throw IOException("not an HTTP address")
        try {
            connection.requestMethod = "POST"
            connection.connectTimeout = TIMEOUT_MS
            connection.readTimeout = TIMEOUT_MS
            connection.instanceFollowRedirects = false
            connection.useCaches = false
            connection.doOutput = true
            connection.setRequestProperty("User-Agent", "assay-kotlin/$VERSION")
            for ((name, value) in headers) connection.setRequestProperty(name, value)
            connection.outputStream.use { it.write(body.toByteArray(Charsets.UTF_8)) }
            val status = connection.responseCode
            val stream = if (status < 400) connection.inputStream else connection.errorStream
            return Answer(status, connection.getHeaderField("Retry-After"), stream?.use(::readStart) ?: "")
        } finally {
            connection.disconnect()
        }
    }

    private fun readStart(stream: InputStream): String {
        val bytes = ByteArray(ANSWER_BYTES_MAX)
        var length = 0
        while (length < bytes.size) {
            val count = stream.read(bytes, length, bytes.size - length)
            if (count < 0) break
            length += count
        }
        return String(bytes, 0, length, Charsets.UTF_8)
    }

    private companion object {
        const val TIMEOUT_MS = 10_000
        const val ANSWER_BYTES_MAX = 65_536
        const val VERSION = "0.1.0"
    }
}

/** Two daemon threads: a report must not wait for an attestation that hangs. */
internal class ThreadScheduler : Scheduler {
    private val executor = ScheduledThreadPoolExecutor(2) { work -> Thread(work, "assay").apply { isDaemon = true } }
        .apply { removeOnCancelPolicy = true }

    override fun after(delayMs: Long, work: () -> Unit): () -> Unit {
        val scheduled = try {
            executor.schedule(work, delayMs, TimeUnit.MILLISECONDS)
        } catch (_: RejectedExecutionException) {
            // The collector was stopped.
            return {}
        }
        return { scheduled.cancel(false) }
    }

    override fun close() {
        executor.shutdown()
    }
}
