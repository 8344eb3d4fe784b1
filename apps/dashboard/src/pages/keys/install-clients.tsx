import { clientPackages } from "@assay/contract/client-packages.ts";
import { Anchor, Stack, Tabs, Text } from "@mantine/core";
import { CodeBlock } from "../../playground/code-block.tsx";
import { Panel } from "../../ui/panel.tsx";

const serverClients = clientPackages.filter(({ runsOn }) => runsOn === "server");

/** How a project installs a client, from this installation. */
export function InstallClients() {
  return (
    <Panel title="Install a client" hint="Each is a package without dependencies. It retries failed calls, and no retry is billed twice.">
      <Tabs defaultValue={serverClients[0]!.id} keepMounted={false}>
        <Tabs.List mb="sm">
          {serverClients.map(({ id, label }) => <Tabs.Tab key={id} value={id}>{label}</Tabs.Tab>)}
        </Tabs.List>
        {serverClients.map(({ id, label, needs, install }) => (
          <Tabs.Panel key={id} value={id}>
            <Stack gap="xs">
              <CodeBlock code={install(location.origin)} label={`Install the client for ${label}`} />
              <Text size="sm" c="dimmed">Needs {needs}. <Anchor href={`/clients/${id}.md`} inherit>README</Anchor></Text>
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="sm" mt="sm">Collectors for pages, iOS and Android, all files and their checksums: <Anchor href="/clients/" inherit>clients</Anchor>.</Text>
    </Panel>
  );
}
