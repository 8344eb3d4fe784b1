package dev.assay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;

/**
 * The fields of something that is sent or received, immutable. A getter for a field that every answer has never returns
 * null: it throws a {@link NoSuchElementException} if an installation leaves the field out. A getter that may return null
 * says so.
 */
public abstract class Fields {
    private final Map<String, Object> fields;

    Fields(Map<String, ?> fields) {
        this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * All fields, including those that are newer than this client.
     *
     * @return the fields by their names in JSON; never null, unmodifiable
     */
    public final Map<String, Object> toMap() {
        return fields;
    }

    /** The fields as JSON. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + Json.write(fields);
    }

    /** Fields are equal if they are of one class and say the same. */
    @Override
    public boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && ((Fields) other).fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    final Map<String, Object> with(String name, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(fields);
        changed.put(name, value);
        return changed;
    }

    static Map<String, Object> mapOf(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int index = 0; index < namesAndValues.length; index += 2) fields.put((String) namesAndValues[index], namesAndValues[index + 1]);
        return fields;
    }

    private static <T> T require(T value, String name) {
        if (value == null) throw new NoSuchElementException("the field " + name + " is missing, or is not what it should be");
        return value;
    }

    private <T> T find(String name, Class<T> type) {
        Object value = fields.get(name);
        return type.isInstance(value) ? type.cast(value) : null;
    }

    final Object any(String name) {
        return fields.get(name);
    }

    final Double numberOrNull(String name) {
        Number value = find(name, Number.class);
        return value == null ? null : (Double) value.doubleValue();
    }

    final double number(String name) {
        return require(numberOrNull(name), name);
    }

    final Long integerOrNull(String name) {
        Number value = find(name, Number.class);
        return value == null ? null : (Long) value.longValue();
    }

    final long integer(String name) {
        return require(integerOrNull(name), name);
    }

    final Boolean flagOrNull(String name) {
        return find(name, Boolean.class);
    }

    final boolean flag(String name) {
        return require(flagOrNull(name), name);
    }

    final String textOrNull(String name) {
        return find(name, String.class);
    }

    final String text(String name) {
        return require(textOrNull(name), name);
    }

    final <T> T objectOrNull(String name, Function<Map<String, Object>, T> read) {
        Map<String, Object> value = asObject(fields.get(name));
        return value == null ? null : read.apply(value);
    }

    final <T> T object(String name, Function<Map<String, Object>, T> read) {
        return require(objectOrNull(name, read), name);
    }

    final <T> List<T> listOrNull(String name, Function<Object, T> read) {
        Object value = fields.get(name);
        if (!(value instanceof List)) return null;
        List<T> items = new ArrayList<>();
        for (Object each : (List<?>) value) items.add(require(read.apply(each), name));
        return Collections.unmodifiableList(items);
    }

    final <T> List<T> list(String name, Function<Object, T> read) {
        return require(listOrNull(name, read), name);
    }

    static String asText(Object value) {
        return value instanceof String ? (String) value : null;
    }

    static Double asNumber(Object value) {
        return value instanceof Number ? (Double) ((Number) value).doubleValue() : null;
    }

    /** Json makes no other maps. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> asObject(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : null;
    }
}
