import type { SignInSession } from "@assay/contract/dashboard/account.ts";
import { Badge, Button, Group, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endOtherSignIns, endSignIn, signInsQuery } from "../../api/account.ts";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { describeBrowser } from "./describe-browser.ts";

function SignInTable({ sessions, isBusy, onEnd }: { sessions: readonly SignInSession[]; isBusy: boolean; onEnd: (id: string) => void }) {
  return (
    <ScrollBox label="Active sign-ins">
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browser</Table.Th>
            <Table.Th>IP address</Table.Th>
            <Table.Th>Signed in</Table.Th>
            <Table.Th><span className="sr-only">Actions</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td title={session.user_agent}>{describeBrowser(session.user_agent)}</Table.Td>
              <Table.Td>{session.ip_address}</Table.Td>
              <Table.Td><Time at={session.created_at} /></Table.Td>
              <Table.Td ta="right">
                {session.current ? (
                  <Badge variant="light" className="badge-text">this browser</Badge>
                ) : (
                  <Button size="xs" variant="default" disabled={isBusy} onClick={() => onEnd(session.id)}>Sign out</Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function SignInsPanel() {
  const queries = useQueryClient();
  const signIns = useQuery(signInsQuery);
  const onSuccess = () => queries.invalidateQueries({ queryKey: signInsQuery.queryKey });
  const end = useMutation({ mutationFn: endSignIn, onSuccess });
  const endOthers = useMutation({ mutationFn: endOtherSignIns, onSuccess });
  return (
    <Panel title="Active sign-ins" hint="Browsers signed in to this account.">
      <QueryView query={signIns} height={120}>
        {({ sessions }) => (
          <Stack gap="sm">
            <FormError error={end.error ?? endOthers.error} />
            <SignInTable sessions={sessions} isBusy={end.isPending} onEnd={(id) => end.mutate(id)} />
            {sessions.length > 1 ? (
              <Group><Button size="xs" variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>Sign out everywhere else</Button></Group>
            ) : (
              <Text size="sm" c="dimmed">No other browsers are signed in.</Text>
            )}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}
