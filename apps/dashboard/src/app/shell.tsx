import { Alert, AppShell, Badge, Burger, Group, NavLink, type NavLinkProps, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createLink, Outlet, useLocation } from "@tanstack/react-router";
import { type ComponentPropsWithRef, useEffect, useRef } from "react";
import { meQuery } from "../api/account.ts";
import { ownFindingsQuery } from "../api/findings.ts";
import { AccountMenu } from "./account-menu.tsx";
import { ColorSchemeButton } from "./color-scheme-button.tsx";
import { navigation, operatorNavigation } from "./navigation.tsx";

type MenuLinkProps = NavLinkProps & Omit<ComponentPropsWithRef<"a">, keyof NavLinkProps>;

const MenuLink = createLink((props: MenuLinkProps) => <NavLink component="a" {...props} />);

const statusTexts = {
  active: undefined,
  suspended: "This account is suspended. Its keys are rejected and nothing can be changed. Contact the operator.",
  closed: "This account is being closed. Its keys are rejected. You can view it until its balance is settled.",
};

/** Moves the focus to the main content after navigation, for keyboards and screen readers. */
function useFocusOnNavigation(path: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

type MenuItem = (typeof navigation | typeof operatorNavigation)[number];

function MenuLinks({ items, pathname, onChoose }: { items: readonly MenuItem[]; pathname: string; onChoose: () => void }) {
  return items.map(({ to, label, Icon }) => {
    const isCurrent = pathname === to || (to !== "/" && pathname.startsWith(`${to}/`));
    return (
      <MenuLink
        key={to}
        to={to}
        label={label}
        leftSection={<Icon size={18} stroke={1.7} />}
        active={isCurrent}
        aria-current={isCurrent ? "page" : undefined}
        onClick={onChoose}
      />
    );
  });
}

/** The frame of all pages shown after sign-in. */
export function Shell() {
  const { data: me } = useSuspenseQuery(meQuery);
  const findings = useQuery(ownFindingsQuery);
  const hasFindings = (findings.data?.findings.length ?? 0) > 0;
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const main = useFocusOnNavigation(pathname);
  const warning = statusTexts[me.status];
  return (
    <AppShell header={{ height: 58 }} navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !isOpen } }} padding={{ base: "md", md: "xl" }}>
      <a className="skip" href="#content">Skip to content</a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={isOpen ? "Close menu" : "Open menu"} aria-expanded={isOpen} />
            <a className="brand" href="/"><img src="/dashboard/logo.svg" width="28" height="28" alt="" /> Assay</a>
            {me.demo && <Badge variant="light" color="gray">Demo</Badge>}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeButton />
            <AccountMenu me={me} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label="Main">
        <AppShell.Section grow component={ScrollArea}>
          <MenuLinks items={navigation.filter(({ to }) => to !== "/findings" || hasFindings)} pathname={pathname} onChoose={close} />
          {me.operator && (
            <div role="group" aria-labelledby="operator-menu">
              <Text id="operator-menu" size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>Operator</Text>
              <MenuLinks items={operatorNavigation} pathname={pathname} onChoose={close} />
            </div>
          )}
        </AppShell.Section>
        <AppShell.Section>
          <NavLink href="/docs" label="API reference" />
          <NavLink href="/model-card" label="Model card" />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} ref={main}>
        <div className="page">
          {warning !== undefined && <Alert color="red" mb="lg" role="status">{warning}</Alert>}
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
