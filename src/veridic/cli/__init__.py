"""The `veridic` command. Modules here import what is heavy inside the commands, so that help is instant."""
