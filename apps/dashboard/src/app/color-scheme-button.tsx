import { ActionIcon, Tooltip, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

const order = { auto: "light", light: "dark", dark: "auto" } as const;
const looks = {
  auto: { Icon: IconDeviceDesktop, label: "Theme: system" },
  light: { Icon: IconSun, label: "Theme: light" },
  dark: { Icon: IconMoon, label: "Theme: dark" },
};

/** As the system, light, dark, and round again. */
export function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon, label } = looks[colorScheme];
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={() => setColorScheme(order[colorScheme])}>
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
