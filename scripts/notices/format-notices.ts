export type Notice = {
  name: string;
  version: string;
  licence: string;
  /** Where it is: in the image, in the pages, in the API reference. */
  places: readonly string[];
  texts: readonly string[];
};

const rule = "=".repeat(100);
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
const titleOf = ({ name, version }: Notice): string => `${name} ${version}`;
const textOf = ({ texts }: Notice): string => texts.join(`\n\n${"-".repeat(100)}\n\n`);

/** One file: the list of packages, and every text once, under the packages that it belongs to. */
export function formatNotices(notices: readonly Notice[], introduction: string): string {
  const sorted = notices.toSorted((one, other) => compare(titleOf(one), titleOf(other)));
  const list = sorted.map((notice) => `  ${titleOf(notice)}  (${notice.licence}; ${notice.places.toSorted(compare).join(", ")})`);
  const byText = Map.groupBy(sorted, textOf);
  const texts = [...byText].map(([text, owners]) => [rule, ...owners.map(titleOf), rule, "", text, ""].join("\n"));
  return [introduction, "", ...list, "", ...texts].join("\n");
}
