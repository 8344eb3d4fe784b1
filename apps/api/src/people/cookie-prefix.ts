/** With https, a prefix that makes browsers refuse such a cookie from a sister domain, from a path, or without https. */
export const cookiePrefixOf = (publicUrl: string): string => (publicUrl.startsWith("https:") ? "__Host-assay" : "assay");
