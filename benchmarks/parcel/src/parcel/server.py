"""The HTTP service."""

from fastapi import FastAPI

app = FastAPI()
PAGE_SIZE = 50


@app.get("/parcels")
async def list_parcels(page: int = 1):
    return []


@app.get("/parcels/{number}")
async def get_parcel(number: str):
    return {}


@app.post("/parcels")
async def hand_in(body: dict):
    return {"number": "1"}


@app.delete("/parcels/{number}")
async def cancel_parcel(number: str):
    return None
