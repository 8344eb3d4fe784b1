import { siteNameLengthMax } from "@assay/contract/dashboard/site-limits.ts";
import type { SiteItem } from "@assay/contract/dashboard/sites.ts";
import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { changeSite, createSite, sitesQuery } from "../../api/sites.ts";
import { FormError } from "../../ui/states.tsx";
import { describeRefusal, parseOrigins } from "./site-values.ts";

type Values = { name: string; origins: string[] };
type FormProps = { initial: Values; confirm: string; error: Error | null; isPending: boolean; onSubmit: (values: Values) => void; onClose: () => void };

function SiteForm({ initial, confirm, error, isPending, onSubmit, onClose }: FormProps) {
  const [name, setName] = useState(initial.name);
  const [origins, setOrigins] = useState(initial.origins.join("\n"));
  const [sent, setSent] = useState<string[]>([]);
  const refusal = describeRefusal(error, { origins: sent });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseOrigins(origins);
    setSent(parsed);
    onSubmit({ name: name.trim(), origins: parsed });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {refusal?.field === undefined && <FormError error={error} />}
        <TextInput
          label="Name"
          description="For you to recognise it."
          placeholder="Shop"
          required
          maxLength={siteNameLengthMax}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={refusal?.field === "name" && refusal.message}
        />
        <Textarea
          label="Origins"
          description="Pages of these origins may attest sessions. One per line, without a path."
          placeholder={"https://shop.example\nhttps://www.shop.example"}
          required
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={origins}
          onChange={(event) => setOrigins(event.currentTarget.value)}
          error={refusal?.field === "origins" && refusal.message}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>Cancel</Button>
          <Button type="submit" loading={isPending}>{confirm}</Button>
        </Group>
      </Stack>
    </form>
  );
}

const frame = { size: "lg", closeButtonProps: { "aria-label": "Close" }, closeOnClickOutside: false } as const;

function CreateForm({ onCreated, onClose }: { onCreated: (siteId: string) => void; onClose: () => void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: createSite,
    async onSuccess({ site_id: siteId }) {
      await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
      onCreated(siteId);
    },
  });
  return <SiteForm initial={{ name: "", origins: [] }} confirm="Add site" error={create.error} isPending={create.isPending} onSubmit={(values) => create.mutate(values)} onClose={onClose} />;
}

export function CreateSiteDialog({ opened, onClose, onCreated }: { opened: boolean; onClose: () => void; onCreated: (siteId: string) => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add site" {...frame}>
      <CreateForm onCreated={onCreated} onClose={onClose} />
    </Modal>
  );
}

export function EditSiteDialog({ item, onClose }: { item: SiteItem; onClose: () => void }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: changeSite,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Edit ${item.name}`} {...frame}>
      <SiteForm
        initial={{ name: item.name, origins: item.origins }}
        confirm="Save"
        error={change.error}
        isPending={change.isPending}
        onSubmit={(values) => change.mutate({ siteId: item.site_id, ...values })}
        onClose={onClose}
      />
    </Modal>
  );
}
