/** Hands a text to the browser's downloads, as if a link to it had been followed. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the content once the click was taken.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
