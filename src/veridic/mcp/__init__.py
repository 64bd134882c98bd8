"""The MCP server: Veridic's checks as tools for agents, over stdio and HTTP."""
