import { textLengthMax } from "@assay/contract/dashboard/campaign-limits.ts";
import type { PreviewReply } from "@assay/contract/dashboard/campaigns.ts";
import { Button, FileInput, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { addCreative, previewCreative } from "../../api/campaigns.ts";
import { operatorKey } from "../../api/operator.ts";
import { FormError } from "../../ui/states.tsx";
import { type Format, formatNames, formats, placementNames } from "../ads/ad-labels.ts";
import { CanvasImage } from "./canvas-image.tsx";
import styles from "./operator.module.css";
import { PictureFrame } from "./picture-frame.tsx";

type Values = { format: Format; headline: string; description: string; cta_text: string; landing_url: string; image: File | null };

const imageTypes = "image/png,image/jpeg,image/webp";

/** The texts come first because the server reads the parts in order. */
function formOf({ image, ...texts }: Values): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, value.trim());
  if (image) form.append("image", image);
  return form;
}

function PreviewImages({ preview }: { preview: PreviewReply }) {
  return (
    <Stack gap="xs" role="status" aria-label="Preview">
      <Text size="sm" fw={550}>Preview in each placement</Text>
      <div className={styles.previews}>
        {preview.images.map(({ placement, width, height, data_url }) => (
          <PictureFrame key={placement} placement={placement} width={width} height={height}>
            <CanvasImage dataUrl={data_url} width={width} height={height} label={`Preview for ${placementNames[placement]}`} />
          </PictureFrame>
        ))}
      </div>
    </Stack>
  );
}

export function CreativeDialog({ campaignId, onClose }: { campaignId: string; onClose: () => void }) {
  const queries = useQueryClient();
  const preview = useMutation({ mutationFn: previewCreative });
  const form = useForm<Values>({
    initialValues: { format: "banner", headline: "", description: "", cta_text: "", landing_url: "", image: null },
    // The preview is outdated once a value changes.
    onValuesChange: () => preview.reset(),
  });
  const add = useMutation({
    mutationFn: (values: Values) => addCreative({ campaignId, form: formOf(values) }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: operatorKey });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Add creative" size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
        <Stack gap="md">
          <FormError error={add.error ?? preview.error} />
          <NativeSelect label="Format" data={formats.map((value) => ({ value, label: formatNames[value] }))} data-autofocus {...form.getInputProps("format")} />
          <TextInput label="Headline" maxLength={textLengthMax.headline} required {...form.getInputProps("headline")} />
          <TextInput label="Description" maxLength={textLengthMax.description} {...form.getInputProps("description")} />
          <TextInput label="Button text" placeholder="Try it" maxLength={textLengthMax.cta_text} required {...form.getInputProps("cta_text")} />
          <TextInput label="Landing page" type="url" placeholder="https://" maxLength={textLengthMax.landing_url} required {...form.getInputProps("landing_url")} />
          <FileInput label="Image" description="PNG, JPEG or WebP, up to 2 MiB. The image is fitted to each placement. Without an image, a card is drawn from the texts." placeholder="Choose a file" accept={imageTypes} clearable clearButtonProps={{ "aria-label": "Remove image" }} {...form.getInputProps("image")} />
          {preview.data && <PreviewImages preview={preview.data} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate(formOf(form.values))}>Preview</Button>
            <Button type="submit" loading={add.isPending}>Add</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
