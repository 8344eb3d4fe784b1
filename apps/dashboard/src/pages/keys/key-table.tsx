import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { ActionIcon, Badge, Code, Menu, Paper, Table, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { ScrollBox } from "../../ui/panel.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { RenameKeyDialog } from "./rename-key-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

type Action = "rename" | "rotate" | "revoke";

const stateColors = { active: "verdigris", rotated: "yellow", expired: "gray", revoked: "gray" } as const;

function State({ item }: { item: KeyItem }) {
  return (
    <>
      <Badge variant="light" color={stateColors[item.state]} className="badge-text">{item.state}</Badge>
      {item.state === "rotated" && item.expires_at !== null && <Text size="xs" c="dimmed">stops working <Time at={item.expires_at} /></Text>}
      {item.state === "active" && item.expires_at !== null && <Text size="xs" c="dimmed">expires <Time at={item.expires_at} /></Text>}
    </>
  );
}

const KeyText = ({ item }: { item: KeyItem }) => <Code className="code-text">{item.prefix}…{item.last_four}</Code>;

const LastUse = ({ item }: { item: KeyItem }) => (item.last_used_at === null ? <>never used</> : <RelativeTime at={item.last_used_at} />);

function Actions({ item, onChoose }: { item: KeyItem; onChoose: (action: Action) => void }) {
  const isUsable = item.state === "active" || item.state === "rotated";
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${item.name}`}><IconDots size={18} /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose("rename")}>Rename</Menu.Item>
        {item.state === "active" && <Menu.Item onClick={() => onChoose("rotate")}>Rotate</Menu.Item>}
        {isUsable && <Menu.Item color="red" onClick={() => onChoose("revoke")}>Revoke</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

export function KeyTable({ keys }: { keys: readonly KeyItem[] }) {
  const [chosen, setChosen] = useState<{ item: KeyItem; action: Action }>();
  const close = () => setChosen(undefined);
  const dialogs = { rename: RenameKeyDialog, rotate: RotateKeyDialog, revoke: RevokeKeyDialog };
  const Dialog = chosen && dialogs[chosen.action];
  return (
    <Paper withBorder>
      <ScrollBox label="API Keys">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th visibleFrom="sm">Key</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th visibleFrom="sm">Last used</Table.Th>
              <Table.Th visibleFrom="sm">Created</Table.Th>
              <Table.Th><span className="sr-only">Actions</span></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((item) => (
              <Table.Tr key={item.key_id}>
                <Table.Td fw={550}>{item.name}<div className="phone-only"><KeyText item={item} /><Text size="xs" c="dimmed"><LastUse item={item} /></Text></div>{item.seen_in_browser_at !== null && <Text size="xs" c="var(--medium)">used in a browser <RelativeTime at={item.seen_in_browser_at} /></Text>}</Table.Td>
                <Table.Td visibleFrom="sm"><KeyText item={item} /></Table.Td>
                <Table.Td><State item={item} /></Table.Td>
                <Table.Td visibleFrom="sm"><LastUse item={item} /></Table.Td>
                <Table.Td visibleFrom="sm"><Time at={item.created_at} /></Table.Td>
                <Table.Td ta="right"><Actions item={item} onChoose={(action) => setChosen({ item, action })} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {chosen && Dialog && <Dialog item={chosen.item} onClose={close} />}
    </Paper>
  );
}
