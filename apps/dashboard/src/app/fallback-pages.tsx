import { Center, Loader } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { EmptyState, ErrorAlert } from "../ui/states.tsx";
import { LinkButton } from "../ui/link-button.tsx";

export function LoadingPage() {
  return (
    <Center mih={320}>
      <Loader aria-label="Loading" />
    </Center>
  );
}

export function NotFoundPage() {
  return (
    <EmptyState title="Page not found" action={<LinkButton to="/">Go to Overview</LinkButton>}>
      The address may be wrong, or the page may have moved.
    </EmptyState>
  );
}

export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return <ErrorAlert error={error instanceof Error ? error : new Error(String(error))} onRetry={() => void router.invalidate()} />;
}
