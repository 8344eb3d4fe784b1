const noteStart = 'insert into "audit_log"';

/**
 * Throws if a transaction goes on after its note in the audit log. The note locks the end of the chain, which all
 * writers of notes share: if one of them went on to lock something else, two could wait for each other.
 */
export function keepNoteLast(): (sql: string) => void {
  let isNoted = false;
  return (sql) => {
    const isNote = sql.startsWith(noteStart);
    if (isNoted && !isNote) throw new Error(`a note in the audit log must come last in its transaction, and this follows it: ${sql.slice(0, 100)}`);
    isNoted ||= isNote;
  };
}
