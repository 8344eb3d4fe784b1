package dev.assay.collector

/** Writes and reads the little JSON that is needed, without a dependency. */
internal object Json {
    private const val DEPTH_MAX = 32

    fun write(value: Any?): String = StringBuilder().also { writeTo(it, value) }.toString()

    private fun writeTo(out: StringBuilder, value: Any?) {
        when (value) {
            null -> out.append("null")
            is Boolean -> out.append(value)
            is Double -> if (value % 1.0 == 0.0 && Math.abs(value) < 1e15) out.append(value.toLong()) else out.append(value)
            is Number -> out.append(value)
            is Map<*, *> -> {
                out.append('{')
                value.entries.forEachIndexed { nth, (name, field) ->
                    if (nth > 0) out.append(',')
                    writeText(out, name.toString())
                    out.append(':')
                    writeTo(out, field)
                }
                out.append('}')
            }
            else -> writeText(out, value.toString())
        }
    }

    private fun writeText(out: StringBuilder, text: String) {
        out.append('"')
        for (each in text) {
            when {
                each == '"' || each == '\\' -> out.append('\\').append(each)
                each < ' ' || each == '\u2028' || each == '\u2029' || each.isSurrogate() -> out.append("\\u%04x".format(each.code))
                else -> out.append(each)
            }
        }
        out.append('"')
    }

    /** The fields of an object; null if the text is not one. Lists are read and dropped. */
    fun readObject(text: String): Map<String, Any?>? =
        try {
            @Suppress("UNCHECKED_CAST")
            (Reader(text).readAll() as? Map<String, Any?>)
        } catch (_: IllegalArgumentException) {
            null
        }

    private class Reader(private val text: String) {
        private var at = 0

        fun readAll(): Any? {
            val value = read(0)
            require(next() == null)
            return value
        }

        private fun next(): Char? {
            while (at < text.length && text[at] in " \t\r\n") at += 1
            return text.getOrNull(at)
        }

        private fun expect(each: Char) {
            require(next() == each)
            at += 1
        }

        private fun read(depth: Int): Any? {
            require(depth < DEPTH_MAX)
            return when (next()) {
                '{' -> readFields(depth)
                '[' -> readList(depth)
                '"' -> readText()
                else -> readWord()
            }
        }

        private fun readFields(depth: Int): Map<String, Any?> {
            val fields = LinkedHashMap<String, Any?>()
            expect('{')
            while (next() != '}') {
                if (fields.isNotEmpty()) expect(',')
                require(next() == '"')
                val name = readText()
                expect(':')
                fields[name] = read(depth + 1)
            }
            expect('}')
            return fields
        }

        private fun readList(depth: Int): Any? {
            expect('[')
            var isFirst = true
            while (next() != ']') {
                if (!isFirst) expect(',')
                isFirst = false
                read(depth + 1)
            }
            expect(']')
            return null
        }

        private fun readText(): String {
            val out = StringBuilder()
            at += 1
            while (true) {
                val each = requireNotNull(text.getOrNull(at))
                at += 1
                if (each == '"') return out.toString()
                out.append(if (each == '\\') readEscape() else each)
            }
        }

        private fun readEscape(): Char {
            val each = requireNotNull(text.getOrNull(at))
            at += 1
            return when (each) {
                '"', '\\', '/' -> each
                'b' -> '\b'
                'f' -> '\u000c'
                'n' -> '\n'
                'r' -> '\r'
                't' -> '\t'
                'u' -> {
                    require(at + 4 <= text.length)
                    at += 4
                    text.substring(at - 4, at).toInt(16).toChar()
                }
                else -> throw IllegalArgumentException()
            }
        }

        private fun readWord(): Any? {
            val from = at
            while (at < text.length && text[at] !in " \t\r\n,]}") at += 1
            return when (val word = text.substring(from, at)) {
                "true" -> true
                "false" -> false
                "null" -> null
                else -> word.toDouble()
            }
        }
    }
}
