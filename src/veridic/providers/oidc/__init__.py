"""OpenID Connect: asks an issuer who somebody is."""
