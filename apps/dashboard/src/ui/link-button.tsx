import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type ButtonLinkProps = ButtonProps & Omit<ComponentPropsWithRef<"a">, keyof ButtonProps>;
type TextLinkProps = AnchorProps & Omit<ComponentPropsWithRef<"a">, keyof AnchorProps>;

export const LinkButton = createLink((props: ButtonLinkProps) => <Button component="a" {...props} />);

export const TextLink = createLink((props: TextLinkProps) => <Anchor {...props} />);
