import { sitesMax } from "@assay/contract/dashboard/site-limits.ts";
import type { SitesReply } from "@assay/contract/dashboard/sites.ts";
import { Button, SimpleGrid, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sitesQuery } from "../../api/sites.ts";
import { formatCount, formatShareOf } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { Stat } from "../../ui/stat.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { AttestationNotes } from "./attestation-notes.tsx";
import { CreateSiteDialog } from "./site-form.tsx";
import { SiteTable } from "./site-table.tsx";
import { SnippetPanel } from "./snippet-panel.tsx";

function Figures({ sites, calls }: Pick<SitesReply, "sites" | "calls">) {
  const sumOf = (field: "sessions" | "refused") => formatCount(sites.reduce((sum, site) => sum + site[field], 0));
  return (
    <SimpleGrid cols={2} spacing="md">
      <Stat
        label="Attested share of your calls"
        value={formatShareOf(calls.attested, calls.calls)}
        hint={calls.calls === 0 ? "no billed calls in 30 days" : `${formatCount(calls.attested)} of ${formatCount(calls.calls)} billed calls in 30 days`}
      />
      <Stat label="Sessions attested and used" value={sumOf("sessions")} hint={`in 30 days; ${sumOf("refused")} others were refused or never used`} />
    </SimpleGrid>
  );
}

export function SitesPage() {
  const sites = useQuery(sitesQuery);
  const [isCreating, creating] = useDisclosure(false);
  const [chosenId, choose] = useState<string>();
  const count = sites.data?.sites.length ?? 0;
  const create = (
    <Tooltip label={`There can be at most ${sitesMax} sites.`} disabled={count < sitesMax}>
      <Button leftSection={<IconPlus size={16} />} onClick={creating.open} disabled={count >= sitesMax}>Add site</Button>
    </Tooltip>
  );
  const show = ({ sites: all, script_url: scriptUrl, calls }: SitesReply) => (
    <>
      {all.length === 0 ? (
        <EmptyState title="No sites yet" action={create}>
          What your server says about a session is your word. On a site, pages also talk to Assay, which measures time, activity and pages by its own clock. That speaks for your traffic when an operator reviews your account, and advertisers can ask for it. It is optional: calls without it earn the same.
        </EmptyState>
      ) : (
        <>
          <Figures sites={all} calls={calls} />
          <SiteTable sites={all} />
          <SnippetPanel sites={all} scriptUrl={scriptUrl} chosenId={chosenId} onChoose={choose} />
        </>
      )}
      <AttestationNotes />
    </>
  );
  return (
    <Page title="Sites" description="Pages of a site let Assay measure sessions itself. Such sessions are attested: their time, activity and pages are not only your word." actions={count > 0 ? create : undefined}>
      <QueryView query={sites} height={240}>{show}</QueryView>
      <CreateSiteDialog
        opened={isCreating}
        onClose={creating.close}
        onCreated={(siteId) => {
          choose(siteId);
          creating.close();
        }}
      />
    </Page>
  );
}
