/** Something about a given file that stops the preparation. The message is for the person who gave the file. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

const shownMax = 10;

/** Collects what is wrong with a file, so that one run shows more than the first fault. */
export class Faults {
  readonly #shown: string[] = [];
  #count = 0;

  add(fault: string): void {
    this.#count += 1;
    if (this.#shown.length < shownMax) this.#shown.push(fault);
  }

  throwIfAny(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#shown.length;
    throw new InputFault([...this.#shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"));
  }
}
