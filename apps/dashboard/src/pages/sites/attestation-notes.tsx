import { SimpleGrid } from "@mantine/core";
import { Panel } from "../../ui/panel.tsx";

const told = [
  "Time in view, time with activity, counts of clicks, key presses and pages, and the scroll depth. Not which keys, which text or which page.",
  "The visitor's network, a block of 256 addresses or larger, is kept as a keyed hash that is forgotten within two days. The address itself is not stored.",
  "There is no cookie and no identifier of the visitor.",
  "Under Global Privacy Control the script begins no session and tells Assay nothing.",
];

const meant = [
  "Time, activity and pages of an attested session were reported while it lasted, and checked against Assay's clock. You cannot claim more time than has passed.",
  "That is evidence, not proof: it does not show that a person was there, or that the session is what it says. A program that keeps a page open is attested too.",
  "Calls without a token, and calls that are not attested for another reason, work and earn the same. The share of attested calls is shown to the operator who reviews accounts.",
];

const Notes = ({ notes }: { notes: readonly string[] }) => <ul className="reason-list spaced">{notes.map((note) => <li key={note}>{note}</li>)}</ul>;

/** What attested sessions tell, and what they do not. */
export function AttestationNotes() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Panel title="What browsers tell Assay"><Notes notes={told} /></Panel>
      <Panel title="What it means"><Notes notes={meant} /></Panel>
    </SimpleGrid>
  );
}
