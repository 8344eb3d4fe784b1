package dev.assay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON. Objects are {@code Map<String, Object>}, arrays {@code List<Object>}, both unmodifiable; numbers
 * are {@code Long} where they are written as whole numbers of up to 18 characters, otherwise {@code Double}; then {@code String},
 * {@code Boolean} and {@code null}.
 */
public final class Json {
    private static final int DEPTH_MAX = 512;
    private static final int LONG_CHARACTERS_MAX = 18;

    private final String text;
    private int at;
    /** Whether the outermost object has a name twice. */
    private boolean isNameRepeated;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Parses a text.
     *
     * @param text one JSON value
     * @return the value; null for {@code null}
     * @throws IllegalArgumentException if the text is not JSON, or is nested too deeply
     */
    public static Object parse(String text) {
        return new Json(text).readAll();
    }

    /** The same, but the names of the outermost object must be there once: parsers differ about which of two counts. */
    static Object parseUnambiguous(String text) {
        Json json = new Json(text);
        Object value = json.readAll();
        if (json.isNameRepeated) throw new IllegalArgumentException("a name is there twice");
        return value;
    }

    private Object readAll() {
        Object value = readValue(0);
        skipSpaces();
        if (at < text.length()) throw unexpected();
        return value;
    }

    /**
     * Writes a value without spaces.
     *
     * @param value a map with string keys, a list, a string, a number, a boolean or null
     * @return its JSON
     * @throws IllegalArgumentException if the value contains anything else
     */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out, 0);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out, int depth) {
        if (depth > DEPTH_MAX) throw new IllegalArgumentException("the value is nested too deeply");
        String separator = "";
        if (value instanceof Map) {
            out.append('{');
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                writeText(String.valueOf(entry.getKey()), out.append(separator));
                write(entry.getValue(), out.append(':'), depth + 1);
                separator = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable) {
            out.append('[');
            for (Object each : (Iterable<?>) value) {
                write(each, out.append(separator), depth + 1);
                separator = ",";
            }
            out.append(']');
        } else if (value instanceof Fields) {
            write(((Fields) value).toMap(), out, depth);
        } else if (value instanceof CharSequence) {
            writeText(value.toString(), out);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (!Double.isFinite(number)) throw new IllegalArgumentException("JSON has no such number: " + number);
            boolean isWhole = number == Math.rint(number) && Math.abs(number) < 1e15;
            out.append(isWhole ? Long.toString((long) number) : value.toString());
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("JSON has no such value: " + value.getClass().getName());
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (int index = 0; index < text.length(); index++) {
            char each = text.charAt(index);
            int escape = "\"\\\b\f\n\r\t".indexOf(each);
            if (escape >= 0) out.append('\\').append("\"\\bfnrt".charAt(escape));
            else if (each < ' ') out.append(String.format("\\u%04x", (int) each));
            else out.append(each);
        }
        out.append('"');
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("not JSON, from position " + at);
    }

    private void skipSpaces() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char peek() {
        skipSpaces();
        if (at >= text.length()) throw unexpected();
        return text.charAt(at);
    }

    private boolean take(String expected) {
        if (!text.startsWith(expected, at)) return false;
        at += expected.length();
        return true;
    }

    private void require(String expected) {
        skipSpaces();
        if (!take(expected)) throw unexpected();
    }

    private Object readValue(int depth) {
        if (depth > DEPTH_MAX) throw unexpected();
        switch (peek()) {
            case '{':
                return readObject(depth);
            case '[':
                return readArray(depth);
            case '"':
                return readText();
            default:
                if (take("true")) return true;
                if (take("false")) return false;
                if (take("null")) return null;
                return readNumber();
        }
    }

    private Map<String, Object> readObject(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        require("{");
        while (peek() != '}') {
            if (!fields.isEmpty()) require(",");
            if (peek() != '"') throw unexpected();
            String name = readText();
            require(":");
            isNameRepeated |= depth == 0 && fields.containsKey(name);
            fields.put(name, readValue(depth + 1));
        }
        require("}");
        return Collections.unmodifiableMap(fields);
    }

    private List<Object> readArray(int depth) {
        List<Object> items = new ArrayList<>();
        require("[");
        while (peek() != ']') {
            if (!items.isEmpty()) require(",");
            items.add(readValue(depth + 1));
        }
        require("]");
        return Collections.unmodifiableList(items);
    }

    private String readText() {
        StringBuilder out = new StringBuilder();
        at++;
        while (at < text.length()) {
            char each = text.charAt(at++);
            if (each == '"') return out.toString();
            if (each < ' ') break;
            out.append(each == '\\' ? readEscape() : each);
        }
        throw unexpected();
    }

    private char readEscape() {
        char kind = at < text.length() ? text.charAt(at++) : ' ';
        int index = "\"\\/bfnrt".indexOf(kind);
        if (index >= 0) return "\"\\/\b\f\n\r\t".charAt(index);
        if (kind != 'u' || at + 4 > text.length()) throw unexpected();
        int code = 0;
        for (int end = at + 4; at < end; at++) {
            int digit = text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) throw unexpected();
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private int skipDigits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
        return at - start;
    }

    private Number readNumber() {
        int start = at;
        take("-");
        if (!take("0") && skipDigits() == 0) throw unexpected();
        boolean isWhole = true;
        if (take(".")) {
            isWhole = false;
            if (skipDigits() == 0) throw unexpected();
        }
        if (take("e") || take("E")) {
            isWhole = false;
            if (!take("+")) take("-");
            if (skipDigits() == 0) throw unexpected();
        }
        String number = text.substring(start, at);
        if (isWhole && number.length() <= LONG_CHARACTERS_MAX) return Long.valueOf(number);
        return Double.valueOf(number);
    }
}
