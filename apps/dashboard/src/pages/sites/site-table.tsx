import type { SiteItem } from "@assay/contract/dashboard/sites.ts";
import { ActionIcon, Menu, Paper, Table, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { Copyable } from "../../ui/copy.tsx";
import { formatCount, formatShareOf } from "../../ui/format.ts";
import { ScrollBox } from "../../ui/panel.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { RemoveSiteDialog } from "./remove-site-dialog.tsx";
import { EditSiteDialog } from "./site-form.tsx";

const dialogs = { edit: EditSiteDialog, remove: RemoveSiteDialog };
type Action = keyof typeof dialogs;

/** Strangers can begin sessions, because the ID is public: those are apart. */
function Sessions({ item }: { item: SiteItem }) {
  return (
    <>
      {formatCount(item.sessions)}
      <Text size="xs" c="dimmed" title="They began, and were crowded, too short, or not used with a call. Anybody can begin one: the site's ID is public.">{formatCount(item.refused)} refused</Text>
    </>
  );
}

const LastSeen = ({ item }: { item: SiteItem }) => (item.last_seen_at === null ? <>never</> : <RelativeTime at={item.last_seen_at} />);

function AttestedShare({ item }: { item: SiteItem }) {
  if (item.calls === 0) return <Text size="sm" c="dimmed">no calls</Text>;
  return (
    <>
      {formatShareOf(item.attested_calls, item.calls)}
      <Text size="xs" c="dimmed">{formatCount(item.attested_calls)} of {formatCount(item.calls)}</Text>
    </>
  );
}

function Actions({ item, onChoose }: { item: SiteItem; onChoose: (action: Action) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${item.name}`}><IconDots size={18} /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose("edit")}>Edit name and origins…</Menu.Item>
        <Menu.Item color="red" onClick={() => onChoose("remove")}>Remove…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const Origins = ({ origins }: { origins: readonly string[] }) => (
  <ul className="plain-list origins">{origins.map((origin) => <li key={origin}>{origin}</li>)}</ul>
);

const InThirtyDays = () => <Text size="xs" c="dimmed">in 30 days</Text>;

export function SiteTable({ sites }: { sites: readonly SiteItem[] }) {
  const [chosen, setChosen] = useState<{ item: SiteItem; action: Action }>();
  const Dialog = chosen && dialogs[chosen.action];
  return (
    <Paper withBorder>
      <ScrollBox label="Sites">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Site</Table.Th>
              <Table.Th visibleFrom="sm">Origins</Table.Th>
              <Table.Th visibleFrom="sm">Last seen</Table.Th>
              <Table.Th visibleFrom="sm" ta="right">Sessions<InThirtyDays /></Table.Th>
              <Table.Th ta="right">Attested calls<InThirtyDays /></Table.Th>
              <Table.Th><span className="sr-only">Actions</span></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sites.map((item) => (
              <Table.Tr key={item.site_id}>
                <Table.Td>
                  <Text size="sm" fw={550}>{item.name}</Text>
                  <Copyable text={item.site_id} label="Copy site ID" />
                  <div className="phone-only">
                    <Origins origins={item.origins} />
                    <Text size="xs" c="dimmed">{formatCount(item.sessions)} sessions in 30 days, {formatCount(item.refused)} refused, last seen: <LastSeen item={item} /></Text>
                  </div>
                </Table.Td>
                <Table.Td visibleFrom="sm"><Origins origins={item.origins} /></Table.Td>
                <Table.Td visibleFrom="sm" className="one-line"><LastSeen item={item} /></Table.Td>
                <Table.Td visibleFrom="sm" ta="right"><Sessions item={item} /></Table.Td>
                <Table.Td ta="right"><AttestedShare item={item} /></Table.Td>
                <Table.Td ta="right"><Actions item={item} onChoose={(action) => setChosen({ item, action })} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {chosen && Dialog && <Dialog item={chosen.item} onClose={() => setChosen(undefined)} />}
    </Paper>
  );
}
