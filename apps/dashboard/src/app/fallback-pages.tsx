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
    <Empty title="Page not found" action={<LinkButton to="/">Go to Overview</LinkButton>}>
      The address may be wrong, or the page may have moved.
    </Empty>
  );
}

export function FailedPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return <Failed error={error instanceof Error ? error : new Error(String(error))} onRetry={() => void router.invalidate()} />;
}
