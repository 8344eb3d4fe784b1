import { ActionIcon, Tooltip, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

const nextScheme = { auto: "light", light: "dark", dark: "auto" } as const;
const schemes = {
  auto: { Icon: IconDeviceDesktop, label: "Theme: system" },
  light: { Icon: IconSun, label: "Theme: light" },
  dark: { Icon: IconMoon, label: "Theme: dark" },
};

/** Cycles through system, light and dark. */
export function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon, label } = schemes[colorScheme];
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={() => setColorScheme(nextScheme[colorScheme])}>
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
