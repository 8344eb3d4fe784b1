import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { Alert, Button, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keysQuery } from "../../api/keys.ts";
import { formatCountOf } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { InstallClients } from "./install-clients.tsx";
import { KeyTable } from "./key-table.tsx";

const isUsable = ({ state }: KeyItem): boolean => state === "active" || state === "rotated";

function BrowserWarning({ keys }: { keys: readonly KeyItem[] }) {
  const exposed = keys.filter((key) => isUsable(key) && key.seen_in_browser_at !== null);
  if (exposed.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title="Used in a browser">
      <Text size="sm">
        {exposed.map(({ name }) => name).join(", ")}: requests carried a browser's Origin header. Anyone who opens that page can read the key. Rotate it and call the API from your server.
      </Text>
    </Alert>
  );
}

export function KeysPage() {
  const keys = useQuery(keysQuery);
  const [isCreating, creating] = useDisclosure(false);
  const [showsAll, setShowsAll] = useState(false);
  const create = <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>Generate new key</Button>;
  return (
    <Page
      title="API Keys"
      description="A key authenticates your account. Keep it on your server, never in a web page or an app. Test keys get real scores and are never billed."
      actions={keys.data && keys.data.keys.length > 0 ? create : undefined}
    >
      <QueryView query={keys} height={240}>
        {({ keys: all, older_left_out: isCut }) => {
          if (all.length === 0) {
            return <EmptyState title="No API keys yet" action={create}>Generate a test key to try the API, or a live key to earn with every call. A key is shown only once, so store it safely.</EmptyState>;
          }
          const inactive = all.filter((key) => !isUsable(key)).length;
          const counted = isCut ? `the newest ${inactive} inactive keys` : formatCountOf(inactive, "inactive key", "inactive keys");
          return (
            <>
              <BrowserWarning keys={all} />
              <KeyTable keys={showsAll ? all : all.filter(isUsable)} />
              {inactive > 0 && <Switch label={`Show ${counted}`} checked={showsAll} onChange={(event) => setShowsAll(event.currentTarget.checked)} />}
            </>
          );
        }}
      </QueryView>
      <InstallClients />
      <CreateKeyDialog opened={isCreating} onClose={creating.close} />
    </Page>
  );
}
