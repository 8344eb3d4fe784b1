import { minTrustMax, textLengthMax } from "@assay/contract/dashboard/campaign-limits.ts";
import type { Campaign } from "@assay/contract/dashboard/campaigns.ts";
import { Button, Checkbox, Group, Modal, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { advertisersQuery, createAdvertiser, createCampaign, editCampaign } from "../../api/campaigns.ts";
import { operatorKey } from "../../api/operator.ts";
import { FormError } from "../../ui/states.tsx";
import { placementNames, placements } from "../ads/ad-labels.ts";
import { type CampaignValues, changesOf, emptyCampaign, termsOf, valuesOf } from "./campaign-values.ts";

/** The value of the "New advertiser" option. */
const newAdvertiser = "";

const pacings = [
  { value: "asap", label: "As fast as possible" },
  { value: "even", label: "Evenly over the day" },
];

const attestationChoices = [
  { value: "", label: "Any session" },
  { value: "server_timed", label: "Attested sessions only" },
];

const amountProps = { type: "number", inputMode: "decimal", min: 0, step: "any" } as const;

function TermFields({ form }: { form: UseFormReturnType<CampaignValues> }) {
  return (
    <>
      <TextInput label="Name" maxLength={textLengthMax.name} required {...form.getInputProps("name")} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput label="Budget (USD)" {...amountProps} required {...form.getInputProps("budget_usd")} />
        <TextInput label="Daily limit (USD)" placeholder="No limit" {...amountProps} {...form.getInputProps("daily_budget_usd")} />
        <TextInput label="Bid per click (USD)" {...amountProps} required {...form.getInputProps("bid_usd")} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Starts (UTC)" description="Leave empty to start now." type="datetime-local" {...form.getInputProps("starts")} />
        <TextInput label="Ends (UTC)" description="Leave empty to run until the budget is spent." type="datetime-local" {...form.getInputProps("ends")} />
      </SimpleGrid>
      <TextInput label="App categories" description="Separate with commas. Leave empty for all." placeholder="gaming, news" {...form.getInputProps("categories")} />
      <Checkbox.Group label="Placements" description="Select none for all." {...form.getInputProps("placements")}>
        <Group mt="xs">{placements.map((placement) => <Checkbox key={placement} value={placement} label={placementNames[placement]} />)}</Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Minimum trust" description={`0–${minTrustMax}. Above 0, only verified sessions.`} type="number" min={0} max={minTrustMax} step="any" required {...form.getInputProps("min_trust")} />
        <NativeSelect label="Attestation" description="Attested: measured by the service itself." data={attestationChoices} {...form.getInputProps("min_attestation")} />
        <NativeSelect label="Pacing" description="How the budget is spent." data={pacings} {...form.getInputProps("pacing")} />
      </SimpleGrid>
    </>
  );
}

function Buttons({ onClose, isBusy, label }: { onClose: () => void; isBusy: boolean; label: string }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>Cancel</Button>
      <Button type="submit" loading={isBusy}>{label}</Button>
    </Group>
  );
}

/** Creates a draft, and the advertiser too if it is new. */
export function CampaignDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const advertisers = useQuery(advertisersQuery);
  const form = useForm<CampaignValues>({ initialValues: emptyCampaign });
  const owner = useForm({ initialValues: { id: newAdvertiser, name: "" } });
  const create = useMutation({
    async mutationFn(values: CampaignValues) {
      const { id, name } = owner.values;
      const advertiserId = id === newAdvertiser ? (await createAdvertiser(name.trim())).id : id;
      // The advertiser exists now. If the campaign is rejected, the next try uses it.
      if (id === newAdvertiser) owner.setFieldValue("id", advertiserId);
      return createCampaign({ advertiser_id: advertiserId, ...termsOf(values) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
    async onSuccess({ id: campaignId }) {
      onClose();
      await navigate({ to: "/operator/campaigns/$campaignId", params: { campaignId } });
    },
  });
  const choices = [{ value: newAdvertiser, label: "New advertiser" }, ...(advertisers.data ?? []).map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <Modal opened onClose={onClose} title="Create campaign" size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack gap="md">
          <FormError error={create.error} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NativeSelect label="Advertiser" data={choices} {...owner.getInputProps("id")} />
            {owner.values.id === newAdvertiser && <TextInput label="Advertiser name" maxLength={textLengthMax.advertiser} required data-autofocus {...owner.getInputProps("name")} />}
          </SimpleGrid>
          <TermFields form={form} />
          <Buttons onClose={onClose} isBusy={create.isPending} label="Create draft" />
        </Stack>
      </form>
    </Modal>
  );
}

export function EditCampaignDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const queries = useQueryClient();
  const before = valuesOf(campaign);
  const form = useForm<CampaignValues>({ initialValues: before });
  const edit = useMutation({
    mutationFn: (values: CampaignValues) => editCampaign({ campaignId: campaign.id, patch: changesOf(before, values) }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: operatorKey });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Edit ${campaign.name}`} size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit((values) => edit.mutate(values))}>
        <Stack gap="md">
          <FormError error={edit.error} />
          <TermFields form={form} />
          <Buttons onClose={onClose} isBusy={edit.isPending} label="Save" />
        </Stack>
      </form>
    </Modal>
  );
}
