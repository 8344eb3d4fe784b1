import type { SiteItem } from "@assay/contract/dashboard/sites.ts";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { removeSite, sitesQuery } from "../../api/sites.ts";
import { FormError } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";

export function RemoveSiteDialog({ item, onClose }: { item: SiteItem; onClose: () => void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: removeSite,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Remove ${item.name}?`} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="md">
        <Text size="sm">
          Its pages can begin no more attested sessions. Your calls go on working and earning, as asserted ones. Take the script element off the pages too. This cannot be undone: a new site gets a new ID.
          {item.last_seen_at !== null && <> A session was last attested <RelativeTime at={item.last_seen_at} />.</>}
        </Text>
        <FormError error={remove.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>Cancel</Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(item.site_id)}>Remove</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
