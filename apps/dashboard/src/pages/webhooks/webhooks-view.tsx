import type { WebhooksReply } from "@assay/contract/dashboard/webhooks.ts";
import { Button, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Webhooks } from "../../api/webhooks.ts";
import { Copyable } from "../../ui/copy.tsx";
import { Details } from "../../ui/details.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { DeliveryLog, type LogSearch } from "./delivery-log.tsx";
import { CreateEndpointDialog } from "./endpoint-form.tsx";
import { EndpointTable } from "./endpoint-table.tsx";

export type WebhooksSearch = LogSearch & { delivery?: string };

type Props = {
  webhooks: Webhooks;
  description: string;
  /** What there is to be told of, for a page without endpoints. */
  invitation: string;
  search: WebhooksSearch;
  onSearch: (next: WebhooksSearch) => void;
};

function PublicKey({ publicKey, account }: { publicKey: string | null; account: string }) {
  if (publicKey === null) return null;
  return (
    <Details summary="Verify without a secret">
      <Stack gap="xs">
        <Text size="sm" maw={680}>Events also carry a <code>v1a</code> signature by this installation's own Ed25519 key, the same for all endpoints. It is public: whoever has it can verify events and cannot make any. It signs everybody's events, so verify that each has this <code>account</code>.</Text>
        <Copyable text={publicKey} label="Copy public key" />
        <Copyable text={account} label="Copy account" />
      </Stack>
    </Details>
  );
}

/** `endpoint.event`, as the search has it. */
function parseOpened(text: string | undefined) {
  const [endpointId, eventId] = (text ?? "").split(".");
  return endpointId !== undefined && eventId !== undefined ? { endpointId, eventId } : undefined;
}

export function WebhooksView({ webhooks, description, invitation, search, onSearch }: Props) {
  const overview = useQuery({ ...webhooks.endpoints, refetchInterval: 4_000 });
  const [isCreating, creating] = useDisclosure(false);
  const isFull = overview.data !== undefined && overview.data.endpoints.length >= overview.data.endpoints_max;
  const create = (
    <Tooltip label={`There can be at most ${overview.data?.endpoints_max} endpoints.`} disabled={!isFull}>
      <Button leftSection={<IconPlus size={16} />} onClick={creating.open} disabled={isFull}>Create endpoint</Button>
    </Tooltip>
  );
  const show = ({ endpoints, events, account, public_key: publicKey }: WebhooksReply) => {
    if (endpoints.length === 0) return <EmptyState title="No endpoints yet" action={create}>{invitation}</EmptyState>;
    return (
      <>
        <EndpointTable endpoints={endpoints} events={events} webhooks={webhooks} />
        <DeliveryLog webhooks={webhooks} endpoints={endpoints} search={search} onSearch={onSearch} onOpen={({ endpointId, eventId }) => onSearch({ delivery: `${endpointId}.${eventId}` })} />
        <PublicKey publicKey={publicKey} account={account} />
      </>
    );
  };
  return (
    <Page title="Webhooks" description={description} actions={overview.data && overview.data.endpoints.length > 0 ? create : undefined}>
      <QueryView query={overview} height={240}>{show}</QueryView>
      <CreateEndpointDialog webhooks={webhooks} events={overview.data?.events ?? []} opened={isCreating} onClose={creating.close} />
      <DeliveryDrawer webhooks={webhooks} opened={parseOpened(search.delivery)} onClose={() => onSearch({ delivery: "" })} />
    </Page>
  );
}
