import { useNavigate, useSearch } from "@tanstack/react-router";
import { webhooksUnder } from "../../api/webhooks.ts";
import { WebhooksView } from "./webhooks-view.tsx";

const webhooks = webhooksUnder("webhooks");

export function WebhooksPage() {
  const search = useSearch({ from: "/account/webhooks" });
  const navigate = useNavigate();
  return (
    <WebhooksView
      webhooks={webhooks}
      description="Assay tells your server what happens: payouts, holds, findings, keys and limits. Every event is signed, and sent again until your server accepts it."
      invitation="Create one to be told of payouts, holds, findings, keys and limits as they happen. A test event is sent at once, so that you see whether your server accepts it."
      search={search}
      onSearch={(next) => void navigate({ to: "/webhooks", search: { ...search, ...next }, replace: true, resetScroll: false })}
    />
  );
}
