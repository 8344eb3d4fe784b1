import { Button, Center, Text } from "@mantine/core";

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** The end of a list that is read page by page. */
export function MoreButton({ of, isEmpty }: { of: Pages; isEmpty: boolean }) {
  if (!of.hasNextPage) return null;
  return (
    <Center>
      {/* A look reads so far and no further: with a rare filter a page can be empty and the next one not. */}
      {isEmpty && <Text size="sm" c="dimmed" mr="sm">No recent matches.</Text>}
      <Button variant="default" loading={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>{isEmpty ? "Search older" : "Load more"}</Button>
    </Center>
  );
}
