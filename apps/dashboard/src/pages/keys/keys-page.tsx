import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { Alert, Button, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keysQuery } from "../../api/keys.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Shown } from "../../ui/states.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";

const works = ({ state }: KeyItem): boolean => state === "active" || state === "rotated";

function BrowserWarning({ keys }: { keys: readonly KeyItem[] }) {
  const seen = keys.filter((key) => works(key) && key.seen_in_browser_at !== null);
  if (seen.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title="Used from a browser">
      <Text size="sm">
        {seen.map(({ name }) => name).join(", ")}: requests came with a browser's Origin. Whoever opens that page can read the key. Rotate it, and call from your server.
      </Text>
    </Alert>
  );
}

export function KeysPage() {
  const keys = useQuery(keysQuery);
  const [isCreating, creating] = useDisclosure(false);
  const [showsAll, setShowsAll] = useState(false);
  const create = <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>Create a key</Button>;
  return (
    <Page
      title="API keys"
      description="A key speaks for your account: keep it on your server, never in a page or an app. Test keys get real scores and are never billed."
      actions={keys.data && keys.data.keys.length > 0 ? create : undefined}
    >
      <Shown of={keys} height={240}>
        {({ keys: all }) => {
          if (all.length === 0) {
            return <Empty title="No keys yet" action={create}>Create a test key to try things out, or a live key to earn with every call. It is shown once, so have a place for it.</Empty>;
          }
          const gone = all.filter((key) => !works(key)).length;
          return (
            <>
              <BrowserWarning keys={all} />
              <KeyTable keys={showsAll ? all : all.filter(works)} />
              {gone > 0 && <Switch label={`Show ${gone} that no longer work${gone === 1 ? "s" : ""}`} checked={showsAll} onChange={(event) => setShowsAll(event.currentTarget.checked)} />}
            </>
          );
        }}
      </Shown>
      <CreateKeyDialog opened={isCreating} onClose={creating.close} />
    </Page>
  );
}
