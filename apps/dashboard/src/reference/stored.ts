/** Storage can be blocked. Then the page forgets. */
export function readStored(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name);
  } catch {
    return null;
  }
}

export function writeStored(storage: () => Storage, name: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(name);
    else storage().setItem(name, value);
  } catch {
    // As above.
  }
}
