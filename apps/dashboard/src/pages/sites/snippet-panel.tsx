import { snippetOf } from "@assay/contract/dashboard/site-snippet.ts";
import type { SiteItem } from "@assay/contract/dashboard/sites.ts";
import { NativeSelect, Stack, Text } from "@mantine/core";
import { CodeBlock } from "../../playground/code-block.tsx";
import { Details } from "../../ui/details.tsx";
import { Panel } from "../../ui/panel.tsx";
import { policyOf } from "./page-policy.ts";

type Props = { sites: readonly SiteItem[]; scriptUrl: string; chosenId: string | undefined; onChoose: (siteId: string) => void };

/** What to paste into the pages of the chosen site, or of the newest. */
export function SnippetPanel({ sites, scriptUrl, chosenId, onChoose }: Props) {
  const site = sites.find(({ site_id: siteId }) => siteId === chosenId) ?? sites[0];
  if (!site) return null;
  const choice = (
    <NativeSelect aria-label="Site of the snippet" data={sites.map(({ site_id: value, name: label }) => ({ value, label }))} value={site.site_id} onChange={(event) => onChoose(event.currentTarget.value)} />
  );
  return (
    <Panel title={`Snippet for ${site.name}`} hint="Paste it into the head of every page. The site's ID is public; no API key ever belongs in a page." aside={sites.length > 1 ? choice : undefined}>
      <CodeBlock code={snippetOf({ scriptUrl, siteId: site.site_id })} label={`Snippet for ${site.name}`} />
      <Stack gap="xs">
        <Text size="sm" maw={680}><code>/signals</code> is a path of your own server. It gets the signals and a <code>session_token</code>; send both with your scoring call.</Text>
        <Details summary="If your pages have a content security policy">
          <Text size="sm" mb="xs" maw={680}>It has to allow the script and its requests. Add this installation's origin to both directives:</Text>
          <CodeBlock code={policyOf(scriptUrl)} label="Content security policy" />
        </Details>
      </Stack>
    </Panel>
  );
}
