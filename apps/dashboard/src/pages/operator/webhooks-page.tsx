import { useNavigate, useSearch } from "@tanstack/react-router";
import { webhooksUnder } from "../../api/webhooks.ts";
import { WebhooksView } from "../webhooks/webhooks-view.tsx";

const webhooks = webhooksUnder("operator/webhooks");

export function OperatorWebhooksPage() {
  const search = useSearch({ from: "/account/operator/webhooks" });
  const navigate = useNavigate();
  return (
    <WebhooksView
      webhooks={webhooks}
      description="What operators must act on, sent to your own systems: payouts that wait, findings, failing jobs, low funds. All operators share these endpoints."
      invitation="Create one to be told of payouts that wait for approval, findings, failing jobs and low funds. All operators share these endpoints."
      search={search}
      onSearch={(next) => void navigate({ to: "/operator/webhooks", search: { ...search, ...next }, replace: true, resetScroll: false })}
    />
  );
}
