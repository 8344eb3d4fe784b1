import type { MeReply } from "@assay/contract/dashboard/account.ts";
import { Avatar, Menu, Text, UnstyledButton } from "@mantine/core";
import { IconLogout, IconSettings, IconShieldLock } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../api/account.ts";

export function AccountMenu({ me }: { me: MeReply }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate({ to: "/sign-in" });
      queries.removeQueries();
    },
  });
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`Account ${me.account.email}`}>
          <Avatar radius="xl" size={34} color="verdigris" variant="filled">{me.account.email.slice(0, 1).toUpperCase()}</Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--ink)" truncate>{me.account.email}</Text>
          <Text size="xs">{me.tier} tier</Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate({ to: "/settings" })}>Settings</Menu.Item>
        <Menu.Item leftSection={<IconShieldLock size={16} />} onClick={() => void navigate({ to: "/settings", search: { part: "security" } })}>Security</Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
