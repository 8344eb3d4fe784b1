import type { PlaygroundAdRequest } from "@assay/contract/dashboard/playground.ts";
import { Alert, Button, Group, SegmentedControl, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type AdResult, testAdQuery } from "../../api/ads.ts";
import { settingsQuery } from "../../api/settings.ts";
import { CodeBlock } from "../../playground/code-block.tsx";
import { codeLanguages } from "../../playground/request-code.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { AdPreview } from "./ad-preview.tsx";
import { adRequestCode } from "./ad-request-code.ts";
import { explainNoFill, type Format, formatNames, formats, type Placement, placementNames, placements } from "./ad-labels.ts";

/** The API's own pattern. */
const categoryPattern = /^[A-Za-z0-9_-]{1,40}$/;

const choicesOf = <Name extends string>(names: readonly Name[], labels: Record<Name, string>) => names.map((value) => ({ value, label: labels[value] }));

function Category({ value, onChange }: { value: string; onChange: (category: string) => void }) {
  const [text, setText] = useState(value);
  const isValid = text === "" || categoryPattern.test(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) onChange(text.toLowerCase());
  };
  return (
    <form onSubmit={submit}>
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          label="App category"
          placeholder="gaming"
          maxLength={40}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isValid ? undefined : "Letters, digits, _ and - only"}
        />
        <Button type="submit" variant="default" disabled={!isValid || text.toLowerCase() === value}>Apply</Button>
      </Group>
    </form>
  );
}

function Result({ result, request }: { result: AdResult; request: PlaygroundAdRequest }) {
  const settings = useQuery(settingsQuery);
  if (result.kind === "no_fill") {
    return (
      <Alert color="yellow" variant="light" title="No ad available" role="status">
        <Text size="sm">{explainNoFill(result.reason)}</Text>
        {settings.data?.house_ads === false && <Text size="sm">Turn on <TextLink to="/settings" inherit>house ads</TextLink> to fill this placement. They earn nothing.</Text>}
      </Alert>
    );
  }
  const { ad } = result;
  return (
    <Stack gap="xs">
      <AdPreview ad={ad} format={request.format} placement={request.placement} />
      <Text size="xs" c="dimmed">
        Image size: {ad.image_width} × {ad.image_height} pixels. {ad.house ? "House ad: no paid campaign matches, so one of the operator's own ads is shown and earns nothing. " : "Ad of a paid campaign. "}
        Requested in test mode: clicks work but are not paid.
      </Text>
    </Stack>
  );
}

function Code({ request }: { request: PlaygroundAdRequest }) {
  return (
    <Tabs defaultValue={codeLanguages[0]} keepMounted={false}>
      <Tabs.List mb="sm" aria-label="Language">{codeLanguages.map((name) => <Tabs.Tab key={name} value={name}>{name}</Tabs.Tab>)}</Tabs.List>
      {codeLanguages.map((name) => (
        <Tabs.Panel key={name} value={name}><CodeBlock code={adRequestCode(name, { address: location.origin, request })} label={`Ad request in ${name}`} /></Tabs.Panel>
      ))}
    </Tabs>
  );
}

export function PreviewPanel() {
  const [format, setFormat] = useState<Format>("banner");
  const [placement, setPlacement] = useState<Placement>("feed");
  const [category, setCategory] = useState("");
  const request: PlaygroundAdRequest = { format, placement, ...(category !== "" && { app_category: category }) };
  const result = useQuery(testAdQuery(request));
  return (
    <Panel title="Preview" hint="A real ad for each format and placement, requested in test mode.">
      <Group gap="md" align="flex-end">
        <div>
          <Text size="sm" fw={500} mb={4} id="ad-format">Format</Text>
          <SegmentedControl aria-labelledby="ad-format" data={choicesOf(formats, formatNames)} value={format} onChange={setFormat} />
        </div>
        <div>
          <Text size="sm" fw={500} mb={4} id="ad-placement">Placement</Text>
          <SegmentedControl aria-labelledby="ad-placement" data={choicesOf(placements, placementNames)} value={placement} onChange={setPlacement} />
        </div>
        <Category value={category} onChange={setCategory} />
        <Button variant="default" loading={result.isFetching} onClick={() => void result.refetch()}>Get another ad</Button>
      </Group>
      <QueryView query={result} height={220}>{(answer) => <Result result={answer} request={request} />}</QueryView>
      <Code request={request} />
    </Panel>
  );
}
