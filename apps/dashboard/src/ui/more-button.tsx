import { Button, Center, Text } from "@mantine/core";

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

export function MoreButton({ query, isEmpty }: { query: Pages; isEmpty: boolean }) {
  if (!query.hasNextPage) return null;
  return (
    <Center>
      {/* The server scans a limited number of rows per page, so with a rare filter a page can be empty and the next one not. */}
      {isEmpty && <Text size="sm" c="dimmed" mr="sm">No recent matches.</Text>}
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{isEmpty ? "Search older" : "Load more"}</Button>
    </Center>
  );
}
