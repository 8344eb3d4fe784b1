import type { SettingsReply } from "@assay/contract/dashboard/settings.ts";
import { Anchor, Button, NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ownComparisonQuery } from "../../api/models.ts";
import { changeSettings, settingsQuery } from "../../api/settings.ts";
import { ModelComparisonView } from "../../ui/model-comparison.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

/** In place of a version: no pin. */
const byDefault = "";

function Current({ model }: { model: SettingsReply["model"] }) {
  const { version, why, until, newest } = model;
  return (
    <Text size="sm">
      <b>{version}</b> scores your sessions
      {why === "newest" && ". It is the newest model."}
      {why === "pinned" && (until === null ? ", because you have pinned it." : <>, because you have pinned it, until <Time at={until} />. Then the newest model takes over.</>)}
      {why === "kept" && until !== null && <> until <Time at={until} />, because your account is from before {newest}. Then {newest} takes over, unless you pin a model.</>}
    </Text>
  );
}

function ModelChoice({ settings }: { settings: SettingsReply }) {
  const { model } = settings;
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(settings.model_version ?? byDefault);
  const change = useMutation({
    mutationFn: changeSettings,
    onSuccess: async () => {
      await Promise.all([queries.invalidateQueries({ queryKey: settingsQuery.queryKey }), queries.invalidateQueries({ queryKey: ["models"] })]);
      notifications.show({ message: "Settings saved. New calls follow within a second.", color: "verdigris" });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ model_version: chosen === byDefault ? null : chosen });
  };
  return (
    <Panel title="Model" hint={<>A model turns a session's signals into its score. Records keep the version that scored them. The <Anchor href="/model-card" inherit>model card</Anchor> says how each was measured. Ads never depend on this choice.</>}>
      <form onSubmit={submit}>
        <Stack gap="md" align="flex-start">
          <FormError error={change.error} />
          <Current model={model} />
          <Radio.Group label="Score my sessions with" value={chosen} onChange={setChosen}>
            <Stack gap="xs" mt="xs">
              <Radio value={byDefault} label="The newest model" description="After a release, accounts keep the model before it for 30 days." />
              {model.models.map(({ version, released, sunset }) => (
                <Radio key={version} value={version} label={`${version}, pinned`} description={<>Released {released}. {sunset === null ? "It stays until a year after its successor begins." : <>Ends <Time at={sunset} />.</>}</>} />
              ))}
            </Stack>
          </Radio.Group>
          <Button type="submit" variant="default" loading={change.isPending} disabled={chosen === (settings.model_version ?? byDefault)}>Save</Button>
        </Stack>
      </form>
    </Panel>
  );
}

function Comparison({ model }: { model: SettingsReply["model"] }) {
  const others = model.models.map(({ version }) => version).filter((version) => version !== model.version);
  const [picked, setPicked] = useState<string>();
  const version = picked !== undefined && others.includes(picked) ? picked : others.at(-1)!;
  const comparison = useQuery(ownComparisonQuery(version));
  return (
    <Panel
      title="What another model would say"
      hint="Your live sessions of the last 7 days, scored again from their signals. Nothing is billed, and no answer changes."
      aside={<NativeSelect label="Compare with" data={others} value={version} onChange={(event) => setPicked(event.currentTarget.value)} />}
    >
      <QueryView query={comparison} height={240}>{(answer) => <ModelComparisonView comparison={answer} />}</QueryView>
    </Panel>
  );
}

export function ModelTab() {
  const settings = useQuery(settingsQuery);
  return (
    <QueryView query={settings} height={320}>
      {(answer) => (
        <Stack gap="md">
          <ModelChoice settings={answer} />
          {answer.model.models.length > 1 && <Comparison model={answer.model} />}
        </Stack>
      )}
    </QueryView>
  );
}
