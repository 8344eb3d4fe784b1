import { Center, Loader } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Empty, Failed } from "../ui/states.tsx";
import { LinkButton } from "../ui/link-button.tsx";

export function WaitingPage() {
  return (
    <Center mih={320}>
      <Loader aria-label="Loading" />
    </Center>
  );
}

export function LostPage() {
  return (
    <Empty title="There is no such page" action={<LinkButton to="/">Go to the overview</LinkButton>}>
      The address may be mistyped, or the page has moved.
    </Empty>
  );
}

export function FailedPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return <Failed error={error instanceof Error ? error : new Error(String(error))} onRetry={() => void router.invalidate()} />;
}
