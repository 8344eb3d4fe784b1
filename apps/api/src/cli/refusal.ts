/** What was asked for cannot be done; the message is the one line that the person at the terminal reads. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
