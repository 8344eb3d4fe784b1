import type { Caller } from "../../access/keys/caller.ts";
import type { Authenticator } from "../../access/keys/authenticate-key.ts";
import { randomBase62 } from "../../ids/time-ordered-id.ts";

/** More calls than this are not under way from playgrounds at once. */
const ticketsMax = 100;
const ticketLength = 40;

/** Stand for a key in calls that the service makes to itself for somebody who is signed in. */
export type PlaygroundTickets = {
  /** Undefined when too many are out. The ticket is good until it is given back. */
  draw(caller: Caller): string | undefined;
  giveBack(ticket: string): void;
  find(ticket: string): Caller | undefined;
};

export function createPlaygroundTickets(): PlaygroundTickets {
  const tickets = new Map<string, Caller>();
  return {
    draw(caller) {
      if (tickets.size >= ticketsMax) return undefined;
      // Nobody can guess it, it never leaves the process, and no key has this form.
      const ticket = `ticket_${randomBase62(ticketLength)}`;
      tickets.set(ticket, caller);
      return ticket;
    },
    giveBack(ticket) {
      tickets.delete(ticket);
    },
    find: (ticket) => tickets.get(ticket),
  };
}

/** The same authenticator, which also knows tickets. Only what is no good key is looked up among them. */
export function admitTickets(authenticator: Authenticator, tickets: PlaygroundTickets): Authenticator {
  return { ...authenticator, authenticate: (key, from) => authenticator.authenticate(key, from) ?? tickets.find(key) };
}
