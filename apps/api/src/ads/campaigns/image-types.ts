/** What images are stored as, and the ending of their addresses. */
const extensionOfType: Readonly<Record<string, string>> = { "image/webp": "webp", "image/png": "png", "image/jpeg": "jpg" };

export function extensionOf(contentType: string): string {
  const extension = extensionOfType[contentType];
  if (extension === undefined) throw new Error(`no image is stored as ${contentType}`);
  return extension;
}
