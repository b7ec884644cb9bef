"""The MCP door: the table of tools, the guides and the bundles over the Model Context Protocol."""
