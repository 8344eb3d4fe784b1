import type { Authenticator } from "../../access/keys/authenticate-key.ts";
import type { Caller } from "../../access/keys/caller.ts";
import { randomBase62 } from "../../ids/time-ordered-id.ts";

/** Concurrent playground calls. */
const ticketsMax = 100;
const ticketLength = 40;

/** A ticket replaces the key in a call that the service makes to itself for a signed-in account. */
export type PlaygroundTickets = {
  /** The ticket is valid until it is revoked. Undefined when there are too many. */
  issue(caller: Caller): string | undefined;
  revoke(ticket: string): void;
  find(ticket: string): Caller | undefined;
};

export function createPlaygroundTickets(): PlaygroundTickets {
  const tickets = new Map<string, Caller>();
  return {
    issue(caller) {
      if (tickets.size >= ticketsMax) return undefined;
      // Not guessable, never leaves the process, and not the form of a key.
      const ticket = `ticket_${randomBase62(ticketLength)}`;
      tickets.set(ticket, caller);
      return ticket;
    },
    revoke(ticket) {
      tickets.delete(ticket);
    },
    find: (ticket) => tickets.get(ticket),
  };
}

/** Also accepts tickets. They are looked up only after the key lookup failed. */
export function admitTickets(authenticator: Authenticator, tickets: PlaygroundTickets): Authenticator {
  return { ...authenticator, authenticate: (key, from) => authenticator.authenticate(key, from) ?? tickets.find(key) };
}
