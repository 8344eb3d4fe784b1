// Plays the corpus and a few scenes with the compiled collector, through its public interface only. Reads lines, prints JSON.
import dev.assay.collector.Answer
import dev.assay.collector.AssayCollector
import dev.assay.collector.Clock
import dev.assay.collector.CollectorOptions
import dev.assay.collector.Host
import dev.assay.collector.Scheduler
import dev.assay.collector.Storage
import dev.assay.collector.Touch
import dev.assay.collector.Transport
import java.io.IOException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

private class FakeStorage(val kept: MutableMap<String, String> = HashMap()) : Storage {
    override fun get(key: String): String? = kept[key]
    override fun set(key: String, value: String?) {
        if (value == null) kept.remove(key) else kept[key] = value
    }
}

/** Runs at once what is due at once, and remembers the rest. */
private class FakeScheduler : Scheduler {
    private class Task(val delayMs: Long, val work: () -> Unit)

    private val tasks = ArrayList<Task>()

    /** What waits for more than a moment. */
    fun waits(): List<Long> = tasks.map { it.delayMs }

    override fun after(delayMs: Long, work: () -> Unit): () -> Unit {
        val task = Task(delayMs, work)
        tasks += task
        return { tasks.remove(task) }
    }

    /** Runs what is due at once, or the first of what waits. */
    fun run(isLater: Boolean = false) {
        while (true) {
            val task = tasks.firstOrNull { isLater || it.delayMs == 0L } ?: return
            tasks.remove(task)
            task.work()
            if (isLater) return run()
        }
    }

    override fun close() = Unit
}

private fun quote(text: String): String = "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\""

private const val ENDPOINT = "https://shop.example/signals"
private const val ASSAY = "https://assay.example/c/v1/"

/** One case of sessions.json: `case START VISITS`, events, `read AT`. */
private fun playCase(startMs: Long, visits: String, nextLine: () -> List<String>) {
    var nowMs = startMs
    val scheduler = FakeScheduler()
    val requests = ArrayList<String>()
    val transport = Transport { url, body, _ ->
        requests += "{\"url\":${quote(url)},\"body\":$body}"
        Answer(if (url == ENDPOINT) 204 else 200, null, "{\"token\":\"token-${requests.size}\",\"next_ms\":0,\"more\":[1,{\"a\":\"\\u00e9\"}]}")
    }
    val storage = if (visits == "null") null else FakeStorage(hashMapOf("assay.visits" to visits))
    val options = CollectorOptions(endpoint = ENDPOINT, site = "site_4fKq2ZpX8mNwR7bTcY1s", url = ASSAY)
    val collector = AssayCollector(options, Host({ nowMs }, storage, transport, scheduler, { 0.5 }))
    while (true) {
        val words = nextLine()
        nowMs = startMs + words[1].toLong()
        when (words[0]) {
            "show" -> collector.onForeground()
            "hide" -> collector.onBackground()
            "activity" -> collector.onActivity()
            "tap" -> collector.onTap()
            "key" -> collector.onKey()
            "screen" -> collector.screen()
            "scroll" -> collector.onScroll(words[2].toDouble(), words[3].toDouble(), words[4].toDouble(), words[5].toDouble())
            "read" -> {
                val signals = collector.read().toJson()
                collector.token {}
                scheduler.run()
                collector.token {}
                scheduler.run()
                return println("{\"signals\":$signals,\"requests\":[${requests.joinToString(",")}]}")
            }
            else -> error("an unknown event: ${words[0]}")
        }
        scheduler.run()
    }
}

/** Without a connection: what waits, for how long, and what the next run sends. */
private fun playOffline(status: Int, retryAfter: String?) {
    val storage = FakeStorage()
    val scheduler = FakeScheduler()
    var nowMs = 0L
    val bodies = ArrayList<String>()
    val failing = Transport { _, body, _ ->
        bodies += body
        if (status == 0) throw IOException("no connection")
        Answer(status, retryAfter, "<html>")
    }
    val collector = AssayCollector(CollectorOptions(ENDPOINT, mapOf("visit" to "v1")), Host({ nowMs }, storage, failing, scheduler, { 1.0 }))
    collector.screen("Home")
    collector.onForeground()
    scheduler.run()
    nowMs += 5_000
    collector.onTap()
    collector.onBackground()
    scheduler.run()
    val waits = ArrayList<Long>()
    repeat(9) {
        waits += scheduler.waits()
        scheduler.run(isLater = true)
    }
    val sent = ArrayList<String>()
    val next = AssayCollector(CollectorOptions(ENDPOINT), Host({ nowMs }, storage, { _, body, _ -> Answer(204, null, "").also { sent += body } }, scheduler))
    next.onForeground()
    scheduler.run()
    println("{\"waits\":$waits,\"attempts\":${bodies.size},\"bodies\":[${bodies.distinct().joinToString(",")}],\"sent\":[${sent.joinToString(",")}],\"kept\":[${storage.kept.keys.joinToString(",", transform = ::quote)}]}")
}

/** Taps of several threads, while others read and send. */
private fun playThreads() {
    val collector = AssayCollector(CollectorOptions(ENDPOINT), Host(transport = { _, _, _ -> Answer(204, null, "") }))
    collector.onForeground()
    collector.screen()
    val threads = List(8) { nth -> thread { repeat(2_000) { if (nth % 2 == 0) collector.onTap() else collector.run { read(); send() } } } }
    threads.forEach { it.join() }
    println("{\"signals\":${collector.read().toJson()}}")
    collector.stop()
}

private fun playTouches() {
    val counted = ArrayList<Int>()
    val scenes = listOf(
        listOf(Touch.DOWN to 0f, Touch.MOVE to 20f, Touch.UP to 20f),
        listOf(Touch.DOWN to 0f, Touch.MOVE to 30f, Touch.MOVE to 0f, Touch.UP to 0f),
        listOf(Touch.DOWN to 0f, Touch.MORE to 0f, Touch.UP to 0f),
        listOf(Touch.DOWN to 0f, Touch.CANCEL to 0f, Touch.UP to 0f),
    )
    for (scene in scenes) {
        val collector = AssayCollector(CollectorOptions(), Host(scheduler = FakeScheduler()))
        for ((touch, x) in scene) collector.onTouch(touch, x, 0f)
        counted += collector.read().interactionCount
    }
    println(counted)
}

/** A visitor who objects, storage that fails, and options that are refused. */
private fun playRefusals() {
    val scheduler = FakeScheduler()
    val storage = FakeStorage(hashMapOf("assay.visits" to "3"))
    val urls = ArrayList<String>()
    val transport = Transport { url, _, _ -> Answer(404, null, "").also { urls += url } }
    val site = CollectorOptions(ENDPOINT, site = "site_x", url = "https://assay.example/c/v1", visitorObjects = true)
    val objecting = AssayCollector(site, Host({ 0 }, storage, transport, scheduler))
    val broken = object : Storage {
        override fun get(key: String): String? = throw IllegalStateException("gone")
        override fun set(key: String, value: String?): Unit = throw IllegalStateException("full")
    }
    val warnings = ArrayList<String>()
    val refused = AssayCollector(CollectorOptions(site = "site_x", url = "https://assay.example/c/v1"), Host({ 0 }, broken, transport, scheduler, { 0.0 }, { warnings += it }))
    for (collector in listOf(objecting, refused)) {
        collector.onForeground()
        collector.screen()
        collector.onTap()
        collector.onBackground()
        scheduler.run()
        collector.onForeground()
        scheduler.run()
    }
    val wrong = listOf({ CollectorOptions(site = "site_x") }, { CollectorOptions("/signals") }, { CollectorOptions(extra = mapOf("visitor" to listOf("Jo"))) })
    val thrown = wrong.count { make -> runCatching { make() }.exceptionOrNull() is IllegalArgumentException }
    println("{\"kept\":${storage.kept.size},\"returning\":${objecting.read().returnVisitor},\"urls\":[${urls.joinToString(",", transform = ::quote)}],\"warnings\":${warnings.size},\"thrown\":$thrown}")
}

/** By the machine's clock, threads and network. */
private fun playLive(endpoint: String, site: String?, url: String?) {
    val extra = mapOf("visit" to "v\"1\\ é😀\n", "nth" to 1, "is_test" to true)
    val options = CollectorOptions(endpoint, extra, { mapOf("Authorization" to "Bearer x") }, site, url)
    val collector = AssayCollector(options, Host(storage = FakeStorage(hashMapOf("assay.visits" to "2")), warn = { System.err.println(it) }))
    collector.onForeground()
    collector.screen("Home")
    if (site != null) {
        val deadlineMs = System.nanoTime() / 1_000_000 + 30_000
        var token: String? = null
        while (token == null && System.nanoTime() / 1_000_000 < deadlineMs) {
            val asked = CountDownLatch(1)
            collector.token { token = it; asked.countDown() }
            check(asked.await(10, TimeUnit.SECONDS))
        }
        Thread.sleep(3_300)
    }
    collector.onTouch(Touch.DOWN, 5f, 5f)
    collector.onTouch(Touch.UP, 5f, 5f)
    collector.onKey()
    collector.onScroll(300.0, 700.0, 1_300.0, 800.0)
    println(collector.read().toJson())
    collector.onBackground()
    readlnOrNull()
    collector.stop()
}

fun main() {
    while (true) {
        val words = (readlnOrNull() ?: return).split(' ')
        when (words[0]) {
            "case" -> playCase(words[1].toLong(), words[2]) { readln().split(' ') }
            "offline" -> playOffline(words[1].toInt(), words.getOrNull(2))
            "threads" -> playThreads()
            "touches" -> playTouches()
            "refusals" -> playRefusals()
            "live" -> playLive(words[1], words.getOrNull(2), words.getOrNull(3))
            else -> error("an unknown scene: ${words[0]}")
        }
        System.out.flush()
    }
}
