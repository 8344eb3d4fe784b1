import {
  IconActivity,
  IconAd2,
  IconAdjustmentsHorizontal,
  IconChartBar,
  IconChecklist,
  IconCoins,
  IconFlag,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconSend,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
  IconWallet,
  IconWebhook,
  IconWorldCheck,
} from "@tabler/icons-react";

export const navigation = [
  { to: "/", label: "Overview", Icon: IconHome },
  { to: "/keys", label: "API Keys", Icon: IconKey },
  { to: "/sites", label: "Sites", Icon: IconWorldCheck },
  { to: "/usage", label: "Usage", Icon: IconChartBar },
  { to: "/revenue", label: "Revenue", Icon: IconWallet },
  { to: "/sessions", label: "Sessions", Icon: IconActivity },
  { to: "/findings", label: "Findings", Icon: IconFlag },
  { to: "/playground", label: "Playground", Icon: IconAdjustmentsHorizontal },
  { to: "/ads", label: "Ads", Icon: IconAd2 },
  { to: "/logs", label: "Logs", Icon: IconListDetails },
  { to: "/webhooks", label: "Webhooks", Icon: IconWebhook },
  { to: "/settings", label: "Settings", Icon: IconSettings },
] as const;

/** Additional pages for operators. */
export const operatorNavigation = [
  { to: "/operator/money", label: "Money", Icon: IconCoins },
  { to: "/operator/payouts", label: "Payouts", Icon: IconSend },
  { to: "/operator/accounts", label: "Accounts", Icon: IconUsers },
  { to: "/operator/campaigns", label: "Campaigns", Icon: IconSpeakerphone },
  { to: "/operator/findings", label: "Findings", Icon: IconFlag },
  { to: "/operator/reviews", label: "Reviews", Icon: IconChecklist },
  { to: "/operator/webhooks", label: "Webhooks", Icon: IconWebhook },
  { to: "/operator/system", label: "System", Icon: IconServer },
  { to: "/operator/audit", label: "Audit log", Icon: IconHistory },
] as const;
