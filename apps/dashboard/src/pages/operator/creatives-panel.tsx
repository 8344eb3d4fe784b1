import type { Creative } from "@assay/contract/dashboard/campaigns.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { reviewCreative } from "../../api/campaigns.ts";
import { Panel } from "../../ui/panel.tsx";
import { formatNames, placementNames } from "../ads/ad-labels.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { CreativeDialog } from "./creative-dialog.tsx";
import styles from "./operator.module.css";
import { PictureFrame } from "./picture-frame.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Verdict = "approved" | "rejected";

function ReviewDialog({ creative, verdict, onClose }: { creative: Creative; verdict: Verdict; onClose: () => void }) {
  const isApproval = verdict === "approved";
  return (
    <ActionDialog
      title={isApproval ? `Approve “${creative.headline}”?` : `Reject “${creative.headline}”?`}
      confirm={isApproval ? "Approve" : "Reject"}
      isDangerous={!isApproval}
      act={() => reviewCreative({ creativeId: creative.id, status: verdict })}
      done={`Creative ${verdict}.`}
      onClose={onClose}
    >
      <Text inherit>
        {isApproval
          ? "It is shown as soon as its campaign is active, and clicks go to its landing page. An approval cannot be undone; pause the campaign instead."
          : "It will never be shown. This cannot be undone; the advertiser has to submit another creative."}
      </Text>
      <Text inherit className={styles.landing}>{creative.landing_url}</Text>
    </ActionDialog>
  );
}

function CreativeItem({ creative, onReview }: { creative: Creative; onReview: (verdict: Verdict) => void }) {
  return (
    <Stack gap="xs" className={styles.creative} component="article" aria-label={creative.headline}>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs"><Text fw={600}>{creative.headline}</Text><StatusBadge status={creative.status} /></Group>
          <Text size="sm" c="dimmed">{formatNames[creative.format]}{creative.description !== "" && ` · ${creative.description}`} · button “{creative.cta_text}”</Text>
          <Text size="xs" c="dimmed" className={styles.landing}>{creative.landing_url}</Text>
        </div>
        {creative.status === "pending" && (
          <Group gap={6}>
            <Button size="xs" onClick={() => onReview("approved")}>Approve</Button>
            <Button size="xs" variant="default" onClick={() => onReview("rejected")}>Reject</Button>
          </Group>
        )}
      </Group>
      <div className={styles.previews}>
        {creative.images.map(({ placement, url, width, height }) => (
          <PictureFrame key={placement} placement={placement} width={width} height={height}>
            <img src={url} width={width} height={height} alt={`${creative.headline}, ${placementNames[placement]}`} loading="lazy" />
          </PictureFrame>
        ))}
      </div>
    </Stack>
  );
}

export function CreativesPanel({ campaignId, creatives, canAdd }: { campaignId: string; creatives: readonly Creative[]; canAdd: boolean }) {
  const [reviewed, setReviewed] = useState<{ creative: Creative; verdict: Verdict }>();
  const [isAdding, adding] = useDisclosure(false);
  return (
    <Panel
      title="Creatives"
      hint="The ads of this campaign. Only approved creatives are served."
      aside={canAdd && <Button variant="default" leftSection={<IconPlus size={16} />} onClick={adding.open}>Add creative</Button>}
    >
      {creatives.length === 0 && <Text size="sm" c="dimmed">No creatives yet. Add text and an image. The image is fitted to every placement, and you can preview each one.</Text>}
      <Stack gap="lg">{creatives.map((creative) => <CreativeItem key={creative.id} creative={creative} onReview={(verdict) => setReviewed({ creative, verdict })} />)}</Stack>
      {reviewed && <ReviewDialog {...reviewed} onClose={() => setReviewed(undefined)} />}
      {isAdding && <CreativeDialog campaignId={campaignId} onClose={adding.close} />}
    </Panel>
  );
}
